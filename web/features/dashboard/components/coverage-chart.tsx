// Today's coverage: the guards that each hour requires, has been given, and had.
import { Bars } from '#web/components/charts/bars.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatHour } from '#web/lib/format.ts';
import { type CoverageHour, useCoverage } from '../api/get-coverage.ts';

const SERIES = [
  { name: 'Assigned', colour: 'var(--chart-pale)' },
  { name: 'Clocked in', colour: 'var(--info)' },
  { name: 'Required', colour: 'var(--accent-fill)', line: true },
];

function Now({ hours }: { hours: CoverageHour[] }) {
  const now = hours.findLast(({ clocked_in }) => clocked_in !== null);
  if (!now) return null;
  const { required, assigned, clocked_in } = now;
  return (
    <p className="mb-4">
      This hour: <strong>{required}</strong> required, <strong>{assigned}</strong> assigned,{' '}
      <strong>{clocked_in}</strong> clocked in.
    </p>
  );
}

export function CoverageChart() {
  return (
    <Panel title="Coverage Today">
      <Loaded query={useCoverage()} loadingText="Loading coverage...">
        {(hours) => (
          <>
            <Now hours={hours} />
            <Bars
              caption="Guards by hour: required, assigned and clocked in"
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
