// Incidents of the last 30 days: one bar for each day, stacked by severity.
import { Bars } from '#web/components/charts/bars.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatDayShort } from '#web/lib/format/dates.ts';
import { useIncidentsByDay } from '../../api/count-by-day.ts';
import { SEVERITIES, SEVERITY_LABELS } from '../../labels.ts';

const COLOURS = {
  low: 'var(--info)',
  medium: 'var(--caution-fill)',
  high: 'var(--chart-orange)',
  critical: 'var(--danger)',
};

export function SeverityChart() {
  return (
    <Panel title="Incidents in 30 Days">
      <Loaded query={useIncidentsByDay()} loadingText="Loading incidents...">
        {(days) => {
          const totals = SEVERITIES.toReversed().map((each) => {
            const count = days.reduce((sum, day) => sum + day[each], 0);
            return `${count} ${SEVERITY_LABELS[each].toLowerCase()}`;
          });
          return (
            <>
              <p className="mb-4">{totals.join(', ')}.</p>
              <Bars
                caption="Incidents reported by day and severity"
                layout="stacked"
                series={SEVERITIES.map((each) => ({
                  name: SEVERITY_LABELS[each],
                  colour: COLOURS[each],
                }))}
                groups={days.map((day) => ({
                  id: day.day,
                  name: formatDayShort(day.day),
                  values: SEVERITIES.map((each) => day[each]),
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
