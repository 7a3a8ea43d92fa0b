// Expiring Certifications: the five that end soonest.
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { nameOf } from '#web/lib/data/people.ts';
import { formatInstantDay } from '#web/lib/format/dates.ts';
import { useFigures } from '../api/get-figures.ts';
import { useExpiring } from '../api/list-expiring.ts';

export function ExpiringCertifications() {
  const counted = useFigures().data?.expiring_certifications ?? 0;
  return (
    <Panel title="Expiring Certifications">
      <Loaded query={useExpiring()} loadingText="Loading certifications...">
        {(rows) =>
          rows.length > 0 ? (
            <ul className="divide-y divide-line">
              {rows.map(({ id, user_id, expires_at, training_courses, profiles }) => (
                <li key={id} className="flex items-baseline justify-between gap-4 py-3">
                  <div className="min-w-0">
                    <p className="font-semibold [overflow-wrap:anywhere]">
                      {training_courses.title}
                    </p>
                    <p className="text-sm text-muted">
                      {nameOf(profiles)} · User{' '}
                      <span className="tabular-nums">{user_id.slice(0, 8)}</span>
                    </p>
                  </div>
                  <time dateTime={expires_at} className="shrink-0 text-sm tabular-nums">
                    {formatInstantDay(expires_at)}
                  </time>
                </li>
              ))}
            </ul>
          ) : (
            <p className="text-muted">
              {counted === 0
                ? 'No certifications expire within 30 days.'
                : // A supervisor of some sites knows how many, but not whose.
                  `${counted} of your guards’ certifications expire within 30 days. HR has the names.`}
            </p>
          )
        }
      </Loaded>
    </Panel>
  );
}
