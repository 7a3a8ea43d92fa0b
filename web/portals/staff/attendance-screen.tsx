// /staff/attendance: one's own, to read.
import { GuardAttendance } from '#web/features/attendance/guard/guard-attendance.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { RecordColumn } from './record-column.tsx';

export function AttendanceScreen() {
  const { user } = useAuth();
  usePageTitle('My Attendance');
  return (
    user && (
      <RecordColumn>
        <GuardAttendance userId={user.id} />
      </RecordColumn>
    )
  );
}
