// Recent Incidents: the five newest that are open.
import type { ReactNode } from 'react';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { useOpenIncidents } from '../../api/list-open.ts';
import { SeverityBadge } from '../incident-badges.tsx';

type RecentIncidentsProps = {
  /** Draws the link to one incident. */
  linkTo: (id: string, title: string) => ReactNode;
};

export function RecentIncidents({ linkTo }: RecentIncidentsProps) {
  return (
    <Panel title="Recent Incidents">
      <Loaded query={useOpenIncidents()} loadingText="Loading incidents...">
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-muted">No open incidents.</p>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map(({ id, title, severity, created_at, sites }) => (
                <li key={id} className="flex items-start justify-between gap-4 py-2">
                  <div className="min-w-0">
                    {linkTo(id, title)}
                    <p className="text-sm text-muted">
                      {sites.name} · <time dateTime={created_at}>{formatDateTime(created_at)}</time>
                    </p>
                  </div>
                  <div className="shrink-0 pt-2.5">
                    <SeverityBadge severity={severity} />
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
