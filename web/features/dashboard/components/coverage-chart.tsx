// Today's coverage: required, assigned and clocked in, now and by hour.
import { Link } from '@tanstack/react-router';
import { formatCount } from '#shared/count.ts';
import { Bars } from '#web/components/charts/bars.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatHour } from '#web/lib/format/dates.ts';
import { type CoverageNow, useCoverage } from '../api/get-coverage.ts';

const SERIES = [
  { name: 'Assigned', colour: 'var(--chart-pale)' },
  { name: 'Clocked in', colour: 'var(--info)' },
  { name: 'Required', colour: 'var(--accent-fill)', line: true },
];

const LINK =
  '-my-3 inline-flex min-h-11 items-center gap-1 underline decoration-accent/45 underline-offset-4 hover:decoration-accent tabular-nums';

/** The same counts as on Attendance, which the links lead to. */
function Now({ now: { required, assigned, clocked_in, forgotten } }: { now: CoverageNow }) {
  return (
    <p className="mb-4">
      Right now: <strong>{formatCount(required)}</strong> required,{' '}
      <strong>{formatCount(assigned)}</strong> assigned,{' '}
      <Link to="/admin/attendance" search={{ state: 'in' }} className={LINK}>
        <strong>{formatCount(clocked_in)}</strong> in now
      </Link>
      .
      {forgotten > 0 && (
        <>
          {' '}
          Not counted:{' '}
          <Link to="/admin/attendance" search={{ state: 'forgotten' }} className={LINK}>
            <strong>{formatCount(forgotten)}</strong>{' '}
            {forgotten === 1 ? 'forgotten clock-out' : 'forgotten clock-outs'}
          </Link>
          .
        </>
      )}
    </p>
  );
}

export function CoverageChart() {
  return (
    <Panel title="Coverage Today">
      <Loaded query={useCoverage()} loadingText="Loading coverage...">
        {({ hours, now }) => (
          <>
            <Now now={now} />
            <Bars
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
          </>
        )}
      </Loaded>
    </Panel>
  );
}
