// /admin/incidents: Incident Management.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { IncidentList } from '#web/features/incidents/incident-list.tsx';
import type { IncidentSearch } from '#web/features/incidents/schema.ts';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/incidents');

export function IncidentsScreen() {
  usePageTitle('Incidents');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // The same function each time: the columns are made with it.
  const change = useCallback(
    (changed: Partial<IncidentSearch>) =>
      navigate({
        search: (now) => ({ ...now, ...changed }),
        // Back closes what was opened; typing a search leaves no trail of letters.
        replace: !changed.open,
        resetScroll: changed.page !== undefined,
      }),
    [navigate],
  );
  return <IncidentList search={search} onChange={change} />;
}
