// /admin/staff: Staff Management.
import { getRouteApi } from '@tanstack/react-router';
import { StaffList } from '#web/features/staff/staff-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/staff');

export function StaffScreen() {
  usePageTitle('Staff');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <StaffList
      search={search}
      onChange={(change) =>
        navigate({
          search: (now) => ({ ...now, ...change }),
          // Typing a search leaves no trail of letters.
          replace: true,
          resetScroll: change.page !== undefined,
        })
      }
    />
  );
}
