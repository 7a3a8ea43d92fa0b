// /admin/leave: Leave Requests.
import { getRouteApi } from '@tanstack/react-router';
import { LeaveList } from '#web/features/leave/leave-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/leave');

export function LeaveScreen() {
  usePageTitle('Leave Requests');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <LeaveList
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
