// /admin/activity: the activity log and the security events.
import { getRouteApi } from '@tanstack/react-router';
import { ActivityBoard } from '#web/features/activity/activity-board.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/activity');

export function ActivityScreen() {
  usePageTitle('Activity');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ActivityBoard
      search={search}
      onChange={(change) =>
        navigate({
          search: (now) => ({ ...now, ...change }),
          // Back closes what was opened, and leads to the page before.
          replace: !change.open && !change.before,
          resetScroll: change.before !== undefined,
        })
      }
    />
  );
}
