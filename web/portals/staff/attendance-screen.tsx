// /staff/attendance: one's own, to read.
import { MyAttendance } from '#web/features/my-record/components/my-attendance.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { RecordColumn } from './record-column.tsx';

export function AttendanceScreen() {
  const { user } = useAuth();
  usePageTitle('My Attendance');
  return (
    user && (
      <RecordColumn>
        <MyAttendance userId={user.id} />
      </RecordColumn>
    )
  );
}
