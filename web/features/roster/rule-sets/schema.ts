import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';

export type RuleSet = Database['public']['Tables']['rule_sets']['Row'];

/** The figures in the order of the form, with the bounds of the columns. */
export const FIGURES = {
  min_rest_hours: { label: 'Rest between two shifts', unit: 'h', from: 0, to: 24 },
  min_rest_override_hours: { label: 'Least rest with an override', unit: 'h', from: 0, to: 24 },
  weekly_rest_hours: { label: 'Weekly rest in one block', unit: 'h', from: 0, to: 120 },
  week_hours: { label: 'Hours a week', unit: 'h', from: 1, to: 168 },
  week_overtime_hours: { label: 'Overtime a week', unit: 'h', from: 0, to: 120 },
  shift_hours: { label: 'Hours a shift', unit: 'h', from: 1, to: 24 },
  consecutive_days: { label: 'Days in a row', unit: 'days', from: 1, to: 31 },
  consecutive_nights: { label: 'Nights in a row', unit: 'nights', from: 1, to: 31 },
} as const;
export type Figure = keyof typeof FIGURES;

const isFigure = (name: string): name is Figure => name in FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES).filter(isFigure);

export const WISHES = {
  known_post: 'Keep people at the posts they know',
  fair_nights: 'Share nights fairly',
  fair_sundays: 'Share Sundays fairly',
  fair_hours: 'Share hours fairly',
  distance: 'Send people to sites near their home',
  overtime: 'Avoid overtime',
  preference: 'Follow what people prefer',
  change: 'Change little of what is published',
} as const;
export type Wish = keyof typeof WISHES;

const isWish = (name: string): name is Wish => name in WISHES;
export const WISH_NAMES = Object.keys(WISHES).filter(isWish);

function figureField(name: Figure) {
  const { label, unit, from, to } = FIGURES[name];
  // Days and nights are counted, hours have decimals.
  const format = unit === 'h' ? /^\d{1,3}(\.\d{1,2})?$/ : /^\d{1,2}$/;
  return z
    .string()
    .trim()
    .refine(
      (entry) => format.test(entry) && Number(entry) >= from && Number(entry) <= to,
      `${label} must be ${unit === 'h' ? 'a number' : 'a whole number'} from ${from} to ${to}`,
    );
}

const sourceField = textField('Source', 300);
const weightField = z.number().int().min(0).max(100);

export const ruleSetSchema = z
  .object({
    name: textField('Name', limits.RULE_SETS_NAME_MAX).min(1, 'Name is required'),
    effective_from: dayField('Date is required'),
    figures: z.object({
      min_rest_hours: figureField('min_rest_hours'),
      min_rest_override_hours: figureField('min_rest_override_hours'),
      weekly_rest_hours: figureField('weekly_rest_hours'),
      week_hours: figureField('week_hours'),
      week_overtime_hours: figureField('week_overtime_hours'),
      shift_hours: figureField('shift_hours'),
      consecutive_days: figureField('consecutive_days'),
      consecutive_nights: figureField('consecutive_nights'),
    }),
    night_at: z.string().min(1, 'Time is required'),
    sources: z.record(z.string(), sourceField),
    weights: z.object({
      known_post: weightField,
      fair_nights: weightField,
      fair_sundays: weightField,
      fair_hours: weightField,
      distance: weightField,
      overtime: weightField,
      preference: weightField,
      change: weightField,
    }),
    bids_approve_themselves: z.boolean(),
    swaps_approve_themselves: z.boolean(),
  })
  .refine(
    ({ figures }) => Number(figures.min_rest_override_hours) <= Number(figures.min_rest_hours),
    {
      error: 'It can’t be longer than the rest between two shifts',
      path: ['figures', 'min_rest_override_hours'],
    },
  );

export type RuleSetForm = z.infer<typeof ruleSetSchema>;

/** Where each figure comes from, by column. */
export const readSources = (row: Pick<RuleSet, 'sources'>) =>
  z.record(z.string(), z.string()).catch({}).parse(row.sources);

/** @returns the form filled with a stored rule set; a copy of it from the next Monday with `isCopy` */
export function toForm(row: RuleSet, isCopy = false): RuleSetForm {
  const sources = readSources(row);
  return {
    name: isCopy ? '' : row.name,
    effective_from: isCopy ? dayAfter(findMonday(today()), 7) : row.effective_from,
    figures: {
      min_rest_hours: String(row.min_rest_hours),
      min_rest_override_hours: String(row.min_rest_override_hours),
      weekly_rest_hours: String(row.weekly_rest_hours),
      week_hours: String(row.week_hours),
      week_overtime_hours: String(row.week_overtime_hours),
      shift_hours: String(row.shift_hours),
      consecutive_days: String(row.consecutive_days),
      consecutive_nights: String(row.consecutive_nights),
    },
    night_at: row.night_at.slice(0, 5),
    sources: Object.fromEntries(FIGURE_NAMES.map((name) => [name, sources[name] ?? ''])),
    weights: {
      known_post: row.weight_known_post,
      fair_nights: row.weight_fair_nights,
      fair_sundays: row.weight_fair_sundays,
      fair_hours: row.weight_fair_hours,
      distance: row.weight_distance,
      overtime: row.weight_overtime,
      preference: row.weight_preference,
      change: row.weight_change,
    },
    bids_approve_themselves: row.bids_approve_themselves,
    swaps_approve_themselves: row.swaps_approve_themselves,
  };
}

/** @returns the columns to store */
export function toRow({ figures, sources, weights, ...form }: RuleSetForm) {
  return {
    ...form,
    min_rest_hours: Number(figures.min_rest_hours),
    min_rest_override_hours: Number(figures.min_rest_override_hours),
    weekly_rest_hours: Number(figures.weekly_rest_hours),
    week_hours: Number(figures.week_hours),
    week_overtime_hours: Number(figures.week_overtime_hours),
    shift_hours: Number(figures.shift_hours),
    consecutive_days: Number(figures.consecutive_days),
    consecutive_nights: Number(figures.consecutive_nights),
    sources: Object.fromEntries(Object.entries(sources).filter(([, source]) => source !== '')),
    weight_known_post: weights.known_post,
    weight_fair_nights: weights.fair_nights,
    weight_fair_sundays: weights.fair_sundays,
    weight_fair_hours: weights.fair_hours,
    weight_distance: weights.distance,
    weight_overtime: weights.overtime,
    weight_preference: weights.preference,
    weight_change: weights.change,
  };
}
