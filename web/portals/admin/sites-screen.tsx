// /admin/sites: Sites Management.
import { getRouteApi } from '@tanstack/react-router';
import { SiteList } from '#web/features/sites/components/site-list.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';

const route = getRouteApi('/admin/sites');

export function SitesScreen() {
  usePageTitle('Sites');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <SiteList
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
