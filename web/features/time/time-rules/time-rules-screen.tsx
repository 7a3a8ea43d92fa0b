import { mayDo } from '#shared/permissions.ts';
import {
  FigureRow,
  type ShownVersion,
  VersionPanel,
} from '#web/components/records/version-panel.tsx';
import { VersionsScreen } from '#web/components/records/versions-screen.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type ListedTimeRule, timeRules, useTimeRules } from './api.ts';
import { Holidays } from './holidays.tsx';
import {
  CHOICES,
  FIGURE_NAMES,
  FIGURES,
  type Figure,
  figureText,
  REST_DAY_LABELS,
  ROUND_MODE_LABELS,
  readSources,
  toForm,
  WEEKDAY_LABELS,
} from './schema.ts';
import { TimeRuleDialog } from './time-rule-form.tsx';

const NO_SOURCE = 'No source given';

/** The rates and limits of the first column; the others are in the second. */
const PAID: readonly Figure[] = FIGURE_NAMES.slice(0, FIGURE_NAMES.indexOf('leave_rate') + 1);

type RowsProps = { row: ListedTimeRule };

function Figures({ row, names }: RowsProps & { names: readonly Figure[] }) {
  const sources = readSources(row);
  return names.map((name) => (
    <FigureRow
      key={name}
      label={FIGURES[name].label}
      value={figureText(name, row)}
      source={sources[name] ?? NO_SOURCE}
    />
  ));
}

function Choices({ row }: RowsProps) {
  const sources = readSources(row);
  const form = toForm(row);
  const step = Number(form.round_to_minutes);
  return (
    <>
      <FigureRow
        label={CHOICES.paid_leave_types}
        value={form.paid_leave_types.map((type) => LEAVE_TYPE_LABELS[type]).join(', ') || 'None'}
        source={sources.paid_leave_types ?? NO_SOURCE}
      />
      <FigureRow
        label="Weekdays on which leave counts"
        value={form.leave_weekdays.map((day) => WEEKDAY_LABELS[day]).join(', ') || 'None'}
      />
      <FigureRow label="Breaks" value={form.break_paid ? 'Paid' : 'Unpaid'} />
      <FigureRow
        label="Rounding of a day"
        value={step === 1 ? 'None' : `${ROUND_MODE_LABELS[form.round_mode]} ${step} min`}
      />
    </>
  );
}

const LIST = 'divide-y divide-line border-y border-line';

export function TimeRulePanel(props: ShownVersion<ListedTimeRule>) {
  const { row } = props.period;
  const form = toForm(row);
  const sources = readSources(row);
  return (
    <VersionPanel {...props} table="time_rules">
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
        <div>
          <h4 className="mb-2 font-semibold">Hours and rates</h4>
          <dl className={LIST}>
            <Figures row={row} names={PAID} />
            <FigureRow
              label={CHOICES.night_start}
              value={`${form.night_start} - ${form.night_end}`}
              source={sources.night_start ?? NO_SOURCE}
            />
            <FigureRow
              label={CHOICES.rest_day_class}
              value={REST_DAY_LABELS[form.rest_day_class]}
              source={sources.rest_day_class ?? NO_SOURCE}
            />
          </dl>
        </div>
        <div>
          <h4 className="mb-2 font-semibold">Breaks, grace and leave</h4>
          <dl className={LIST}>
            <Figures row={row} names={FIGURE_NAMES.filter((name) => !PAID.includes(name))} />
            <Choices row={row} />
          </dl>
        </div>
      </div>
    </VersionPanel>
  );
}

export function TimeRulesScreen() {
  const { roles } = useAuth();
  return (
    <VersionsScreen
      title="Time Rules"
      subtitle="How hours become paid hours. Not legal advice: check the figures with the authorities."
      addLabel="New Rules"
      query={useTimeRules()}
      records={timeRules}
      mayChange={mayDo(roles, 'time_rules', 'update')}
      consequence="The previous rules will apply instead, and open timesheets are recalculated."
      Panel={TimeRulePanel}
      Form={TimeRuleDialog}
    >
      <Holidays mayChange={mayDo(roles, 'company_holidays', 'update')} />
    </VersionsScreen>
  );
}
