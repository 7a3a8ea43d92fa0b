import { company } from '#company';
import { Bars } from '#web/components/charts/bars.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { formatHour, formatInstantDay } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useCoverage, useExpiringCertifications, useFigures } from './api.ts';

const SERIES = [
  { name: 'Assigned', colour: 'var(--chart-pale)' },
  { name: 'Clocked in', colour: 'var(--info)' },
  { name: 'Required', colour: 'var(--accent-fill)', line: true },
];

export function CoverageChart() {
  return (
    <Panel title="Coverage Today" isSmall>
      <Loaded query={useCoverage()} loadingText="Loading coverage...">
        {(hours) => (
          <Bars
            isSmall
            caption="Guards by hour: required, assigned, and clocked in for any part of the hour"
            layout="overlaid"
            series={SERIES}
            groups={hours.map(({ hour, required, assigned, clocked_in }) => ({
              id: hour,
              name: formatHour(hour),
              values: [assigned, clocked_in, required],
            }))}
            format={String}
          />
        )}
      </Loaded>
    </Panel>
  );
}

export function ExpiringCertifications() {
  const counted = useFigures().data?.expiring_certifications ?? 0;
  return (
    <Panel title="Expiring Certifications" isSmall>
      <Loaded query={useExpiringCertifications()} loadingText="Loading certifications...">
        {(rows) =>
          rows.length > 0 ? (
            <ul className="divide-y divide-line">
              {rows.map(({ id, user_id, expires_at, training_courses, profiles }) => (
                <li
                  key={id}
                  className="flex items-baseline justify-between gap-4 py-1 leading-snug"
                >
                  <div className="min-w-0 text-sm">
                    <p className="font-semibold [overflow-wrap:anywhere]">
                      {training_courses.title}
                    </p>
                    <p className="text-muted">
                      <PersonLink id={user_id} name={formatName(profiles)} /> · User{' '}
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
                : // Supervisors may read the count, but not the certificates of other people.
                  `${counted} of your guards’ certifications expire within 30 days. HR has the names.`}
            </p>
          )
        }
      </Loaded>
    </Panel>
  );
}

export function CompanyBlurb() {
  return (
    <Panel title={company.name} isSmall>
      <div className="grid gap-2.5 text-sm text-pretty text-muted">
        <p>{company.growth}</p>
        <p>
          <strong className="font-semibold text-ink">Our mission:</strong> {company.mission}
        </p>
        <p>{company.heritage}</p>
      </div>
    </Panel>
  );
}
