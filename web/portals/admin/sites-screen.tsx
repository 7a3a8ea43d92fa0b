// /admin/sites: Sites Management.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SiteSearch } from '#web/features/sites/schema.ts';
import { SiteList } from '#web/features/sites/site-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

const route = getRouteApi('/admin/sites');

export function SitesScreen() {
  usePageTitle('Sites');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // The same function each time: the table keeps its cells, and with them the keyboard focus.
  const change: ChangeSearch<SiteSearch> = useCallback(
    (changed) =>
      void navigate({
        search: (now) => ({ ...now, ...changed }),
        // Back closes what was opened; typing a search leaves no trail of letters.
        replace: !changed.open,
        resetScroll: changed.page !== undefined,
      }),
    [navigate],
  );
  return <SiteList search={search} onChange={change} />;
}
