import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import {
  LEAVE_REQUESTS_TYPE,
  TIME_RULES_REST_DAY_CLASS,
  TIME_RULES_ROUND_MODE,
} from '#shared/database.values.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';

export type TimeRule = Database['public']['Tables']['time_rules']['Row'];

type FigureOptions = {
  label: string;
  /** Unit in the form; minutes are stored for `h`, shares for `%`. */
  unit: 'h' | 'min' | '×' | 'days' | '%';
  from: number;
  to: number;
  /** Meaning of an empty field; without it, the figure is required. */
  none?: string;
};

/** The figures in the order of the form, with the bounds of the columns, in the unit of the form. */
export const FIGURES = {
  day_minutes: { label: 'Regular hours a day', unit: 'h', from: 1, to: 24 },
  week_minutes: { label: 'Regular hours a week', unit: 'h', from: 1, to: 168 },
  overtime_2_after_minutes: {
    label: 'Overtime 2 after overtime a week',
    unit: 'h',
    from: 0,
    to: 168,
    none: 'No second tier',
  },
  overtime_1_rate: { label: 'Overtime 1', unit: '×', from: 0, to: 10 },
  overtime_2_rate: { label: 'Overtime 2', unit: '×', from: 0, to: 10 },
  night_rate: { label: 'Night', unit: '×', from: 0, to: 10 },
  holiday_rate: { label: 'Public holiday', unit: '×', from: 0, to: 10 },
  leave_rate: { label: 'Paid leave', unit: '×', from: 0, to: 10 },
  break_after_minutes: { label: 'Break after', unit: 'h', from: 1, to: 24 },
  break_minutes: { label: 'Length of the break', unit: 'min', from: 0, to: 240 },
  grace_minutes: { label: 'Lateness that counts as on time', unit: 'min', from: 0, to: 120 },
  stay_tolerance_minutes: {
    label: 'Longer stay that needs no decision',
    unit: 'min',
    from: 0,
    to: 240,
  },
  standard_day_minutes: {
    label: 'Day of leave without a planned shift',
    unit: 'h',
    from: 0,
    to: 24,
  },
  sick_paid_days: { label: 'Paid sick days a year', unit: 'days', from: 0, to: 366 },
  max_deduction_share: {
    label: 'Most of net pay for advances and loans',
    unit: '%',
    from: 0,
    to: 100,
  },
} as const satisfies Record<string, FigureOptions>;
export type Figure = keyof typeof FIGURES;

const isFigure = (name: string): name is Figure => name in FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES).filter(isFigure);

/** The same with the optional settings typed. */
export const findFigure = (name: Figure): FigureOptions => FIGURES[name];

/** One unit of the form in the column's unit. */
const SCALES = { h: 60, min: 1, '×': 1, days: 1, '%': 0.01 };

/** Other choices of the rules that name a source. */
export const CHOICES = {
  rest_day_class: 'The seventh day worked in a week',
  night_start: 'Night hours',
  paid_leave_types: 'Paid leave',
} as const;

export const REST_DAY_LABELS: Record<(typeof TIME_RULES_REST_DAY_CLASS)[number], string> = {
  none: 'As any other day',
  overtime_1: 'Overtime 1',
  overtime_2: 'Overtime 2',
};
export const ROUNDINGS = ['1', '5', '6', '10', '15'] as const;
export const ROUND_MODE_LABELS: Record<(typeof TIME_RULES_ROUND_MODE)[number], string> = {
  nearest: 'To the nearest',
  up: 'Up',
  down: 'Down',
};
/** 1 is Monday, as in ISO 8601. */
export const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;
export const WEEKDAY_LABELS: Record<(typeof WEEKDAYS)[number], string> = {
  '1': 'Mon',
  '2': 'Tue',
  '3': 'Wed',
  '4': 'Thu',
  '5': 'Fri',
  '6': 'Sat',
  '7': 'Sun',
};

function figureField(name: Figure) {
  const { label, unit, from, to, none } = findFigure(name);
  const isWhole = unit === 'min' || unit === 'days';
  const format = isWhole ? /^\d{1,4}$/ : /^\d{1,3}(\.\d{1,4})?$/;
  return z
    .string()
    .trim()
    .refine(
      (entry) =>
        (none !== undefined && entry === '') ||
        (format.test(entry) && Number(entry) >= from && Number(entry) <= to),
      `${label} must be ${isWhole ? 'a whole number' : 'a number'} from ${from} to ${to}`,
    );
}

/** @returns an object with a value for each figure */
const eachFigure = <Value>(make: (name: Figure) => Value): Record<Figure, Value> => ({
  day_minutes: make('day_minutes'),
  week_minutes: make('week_minutes'),
  overtime_2_after_minutes: make('overtime_2_after_minutes'),
  overtime_1_rate: make('overtime_1_rate'),
  overtime_2_rate: make('overtime_2_rate'),
  night_rate: make('night_rate'),
  holiday_rate: make('holiday_rate'),
  leave_rate: make('leave_rate'),
  break_after_minutes: make('break_after_minutes'),
  break_minutes: make('break_minutes'),
  grace_minutes: make('grace_minutes'),
  stay_tolerance_minutes: make('stay_tolerance_minutes'),
  standard_day_minutes: make('standard_day_minutes'),
  sick_paid_days: make('sick_paid_days'),
  max_deduction_share: make('max_deduction_share'),
});

const sourceField = textField('Source', 300);
const timeField = z.string().min(1, 'Time is required');

export const timeRuleSchema = z.object({
  name: textField('Name', limits.TIME_RULES_NAME_MAX).min(1, 'Name is required'),
  effective_from: dayField('Date is required'),
  figures: z.object(eachFigure(figureField)),
  rest_day_class: z.enum(TIME_RULES_REST_DAY_CLASS),
  night_start: timeField,
  night_end: timeField,
  break_paid: z.boolean(),
  round_to_minutes: z.enum(ROUNDINGS),
  round_mode: z.enum(TIME_RULES_ROUND_MODE),
  leave_weekdays: z.array(z.enum(WEEKDAYS)),
  paid_leave_types: z.array(z.enum(LEAVE_REQUESTS_TYPE)),
  sources: z.record(z.string(), sourceField),
});
export type TimeRuleForm = z.infer<typeof timeRuleSchema>;

/** Where each figure comes from, by column. */
export const readSources = (row: Pick<TimeRule, 'sources'>) =>
  z.record(z.string(), z.string()).catch({}).parse(row.sources);

/** @returns the figure in the unit of the form; empty if there is none */
export function toEntry(name: Figure, row: TimeRule): string {
  const stored = row[name];
  if (stored === null) return '';
  // Shares and hours have at most four decimals; the division of binary fractions has more.
  return String(Number((stored / SCALES[FIGURES[name].unit]).toFixed(4)));
}

function columnOf(name: Figure, entry: string): number {
  const { unit } = FIGURES[name];
  // A third of an hour is entered as 0.3333 and stored as 20 minutes.
  return Number((Number(entry) * SCALES[unit]).toFixed(unit === 'h' ? 0 : 4));
}

/** @returns the figure in words, for example "48 h" or "1.5 ×" */
export function figureText(name: Figure, row: TimeRule): string {
  const entry = toEntry(name, row);
  return entry === '' ? (findFigure(name).none ?? '') : `${entry} ${FIGURES[name].unit}`;
}

const entryIn =
  <Value extends string>(values: readonly Value[]) =>
  (value: string) =>
    values.filter((each) => each === value);

/** @returns the form filled with stored rules; a copy of them from the next Monday with `isCopy` */
export function toForm(row: TimeRule, isCopy = false): TimeRuleForm {
  const sources = readSources(row);
  return {
    name: isCopy ? '' : row.name,
    effective_from: isCopy ? dayAfter(findMonday(today()), 7) : row.effective_from,
    figures: eachFigure((name) => toEntry(name, row)),
    rest_day_class: row.rest_day_class,
    night_start: row.night_start.slice(0, 5),
    night_end: row.night_end.slice(0, 5),
    break_paid: row.break_paid,
    round_to_minutes: z.enum(ROUNDINGS).parse(String(row.round_to_minutes)),
    round_mode: row.round_mode,
    leave_weekdays: row.leave_weekdays.map(String).flatMap(entryIn(WEEKDAYS)),
    paid_leave_types: row.paid_leave_types.flatMap(entryIn(LEAVE_REQUESTS_TYPE)),
    sources: Object.fromEntries(
      [...FIGURE_NAMES, ...Object.keys(CHOICES)].map((name) => [name, sources[name] ?? '']),
    ),
  };
}

/** @returns the columns to store */
export function toRow({ figures, sources, ...form }: TimeRuleForm) {
  return {
    ...form,
    ...eachFigure((name) => columnOf(name, figures[name])),
    ...(figures.overtime_2_after_minutes === '' && { overtime_2_after_minutes: null }),
    round_to_minutes: Number(form.round_to_minutes),
    leave_weekdays: form.leave_weekdays.map(Number).sort(),
    sources: Object.fromEntries(Object.entries(sources).filter(([, source]) => source !== '')),
  };
}
