import type { ReactNode } from 'react';
import { INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import { Bars } from '#web/components/charts/bars.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { formatDateTime, formatDayShort } from '#web/lib/format/dates.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { useIncidentsByDay, useOpenIncidents } from './api.ts';

type RecentIncidentsProps = {
  linkTo: (id: string, title: string) => ReactNode;
};

export function RecentIncidents({ linkTo }: RecentIncidentsProps) {
  return (
    <Panel title="Recent Incidents" isSmall>
      <Loaded query={useOpenIncidents()} loadingText="Loading incidents...">
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-muted">No open incidents.</p>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map(({ id, title, severity, created_at, site_id, sites }) => (
                <li
                  key={id}
                  className="flex items-start justify-between gap-4 py-1 leading-snug pointer-fine:items-center"
                >
                  <div className="min-w-0 text-sm">
                    {linkTo(id, title)}
                    <p className="text-muted lg:truncate">
                      <SiteLink
                        id={site_id}
                        name={sites.name}
                        // On a desk it would lie over the title.
                        className="lg:pointer-fine:my-0 lg:pointer-fine:min-h-6 lg:pointer-fine:py-0"
                      />{' '}
                      · <time dateTime={created_at}>{formatDateTime(created_at)}</time>
                    </p>
                  </div>
                  <div className="shrink-0 pt-2.5 pointer-fine:pt-0">
                    <StatusBadge status={severity} />
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

const COLOURS = {
  low: 'var(--info)',
  medium: 'var(--caution-fill)',
  high: 'var(--chart-orange)',
  critical: 'var(--danger)',
};

export function SeverityChart() {
  return (
    <Panel title="Incidents in 30 Days" isSmall>
      <Loaded query={useIncidentsByDay()} loadingText="Loading incidents...">
        {(days) => {
          const totals = INCIDENTS_SEVERITY.toReversed().map((each) => {
            const count = days.reduce((sum, day) => sum + day[each], 0);
            return `${count} ${STATUS_LABELS[each].toLowerCase()}`;
          });
          return (
            <>
              <p className="mb-2 text-sm">{totals.join(', ')}.</p>
              <Bars
                isSmall
                caption="Incidents reported by day and severity"
                layout="stacked"
                series={INCIDENTS_SEVERITY.map((each) => ({
                  name: STATUS_LABELS[each],
                  colour: COLOURS[each],
                }))}
                groups={days.map((day) => ({
                  id: day.day,
                  name: formatDayShort(day.day),
                  values: INCIDENTS_SEVERITY.map((each) => day[each]),
                }))}
                format={String}
              />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}
