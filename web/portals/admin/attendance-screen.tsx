// /admin/attendance: who is where now, who is missing, and what is to be looked at.
import { getRouteApi } from '@tanstack/react-router';
import { AttendanceList } from '#web/features/attendance/attendance-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/attendance');

export function AttendanceScreen() {
  usePageTitle('Attendance');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <AttendanceList
      search={search}
      onChange={(change) =>
        navigate({
          search: (now) => ({ ...now, ...change }),
          // Back closes what was opened; typing a search leaves no trail of letters.
          replace: !change.open,
          resetScroll: change.page !== undefined,
        })
      }
    />
  );
}
