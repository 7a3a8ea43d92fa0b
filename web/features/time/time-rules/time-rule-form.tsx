import type { UseFormReturn } from 'react-hook-form';
import {
  LEAVE_REQUESTS_TYPE,
  TIME_RULES_REST_DAY_CLASS,
  TIME_RULES_ROUND_MODE,
} from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { type OpenedVersion, VersionDialog } from '#web/components/records/version-dialog.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { today } from '#web/lib/format/dates.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { timeRules } from './api.ts';
import {
  CHOICES,
  FIGURE_NAMES,
  type Figure,
  findFigure,
  REST_DAY_LABELS,
  ROUND_MODE_LABELS,
  ROUNDINGS,
  type TimeRule,
  type TimeRuleForm,
  timeRuleSchema,
  toForm,
  WEEKDAY_LABELS,
  WEEKDAYS,
} from './schema.ts';

type FormProps = { form: UseFormReturn<TimeRuleForm> };

const ROW = 'grid gap-3 sm:grid-cols-[13rem_1fr]';

function SourceField({ form, name }: FormProps & { name: Figure | keyof typeof CHOICES }) {
  return createFields(form).text(`sources.${name}`, 'Source', {
    placeholder: 'Where this figure comes from',
  });
}

function Figures({ form }: FormProps) {
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 font-semibold">Figures</legend>
      {FIGURE_NAMES.map((name) => {
        const { label, unit, none } = findFigure(name);
        return (
          <fieldset key={name} aria-label={label} className={ROW}>
            {createFields(form).text(`figures.${name}`, `${label} (${unit})`, {
              inputMode: 'decimal',
              optional: none !== undefined,
            })}
            <SourceField form={form} name={name} />
          </fieldset>
        );
      })}
    </fieldset>
  );
}

type TicksProps<Value extends string> = FormProps & {
  name: 'leave_weekdays' | 'paid_leave_types';
  legend: string;
  values: readonly Value[];
  labels: Record<Value, string>;
};

function Ticks<Value extends string>({ form, name, legend, values, labels }: TicksProps<Value>) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-x-5">
        {values.map((value) => (
          <div key={value} className="relative flex min-h-11 items-center gap-2.5">
            <Checkbox id={`${name}-${value}`} value={value} {...form.register(name)} />
            <label htmlFor={`${name}-${value}`}>{labels[value]}</label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Choices({ form }: FormProps) {
  const field = createFields(form);
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 font-semibold">Nights, rest days, breaks and leave</legend>
      <div className={ROW}>
        <div className="grid grid-cols-2 gap-3">
          {field.text('night_start', 'Night from', { type: 'time' })}
          {field.text('night_end', 'Until', { type: 'time' })}
        </div>
        <SourceField form={form} name="night_start" />
      </div>
      <div className={ROW}>
        {field.select(
          'rest_day_class',
          CHOICES.rest_day_class,
          toOptions(TIME_RULES_REST_DAY_CLASS, REST_DAY_LABELS),
        )}
        <SourceField form={form} name="rest_day_class" />
      </div>
      <FieldGrid>
        {field.select(
          'round_to_minutes',
          'Round the hours of a day to',
          ROUNDINGS.map((step) => [step, step === '1' ? 'The minute' : `${step} minutes`]),
        )}
        {field.select(
          'round_mode',
          'Rounding',
          toOptions(TIME_RULES_ROUND_MODE, ROUND_MODE_LABELS),
        )}
      </FieldGrid>
      <div className="relative flex min-h-11 items-center gap-3">
        <Checkbox id="break_paid" {...form.register('break_paid')} />
        <label htmlFor="break_paid">Breaks are paid</label>
      </div>
      <Ticks
        form={form}
        name="paid_leave_types"
        legend={CHOICES.paid_leave_types}
        values={LEAVE_REQUESTS_TYPE}
        labels={LEAVE_TYPE_LABELS}
      />
      <SourceField form={form} name="paid_leave_types" />
      <Ticks
        form={form}
        name="leave_weekdays"
        legend="Weekdays on which leave counts"
        values={WEEKDAYS}
        labels={WEEKDAY_LABELS}
      />
    </fieldset>
  );
}

export function TimeRuleDialog(opened: OpenedVersion<TimeRule>) {
  return (
    <VersionDialog
      {...opened}
      noun="time rules"
      records={timeRules}
      description={
        opened.isNew
          ? 'They start from the rules of today and replace them from their first day.'
          : 'Open and submitted timesheets are recalculated. Approved and locked ones stay.'
      }
      schema={timeRuleSchema}
      toForm={toForm}
      addLabel="Add Rules"
    >
      {(form) => {
        const field = createFields(form);
        const isPast = form.watch('effective_from') < today();
        return (
          <div className="grid gap-8">
            <FieldGrid>
              {field.text('name', 'Name', { placeholder: 'Liberia 2027' })}
              {field.day('effective_from', 'In Force From', {
                hint:
                  opened.isNew && isPast
                    ? 'Open timesheets since this day are recalculated'
                    : undefined,
              })}
            </FieldGrid>
            <Figures form={form} />
            <Choices form={form} />
          </div>
        );
      }}
    </VersionDialog>
  );
}
