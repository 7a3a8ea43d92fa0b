// The days of a timesheet as the screens show them: planned beside worked beside paid, in weeks from Monday.
import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { findMonday } from '#web/lib/format/days.ts';
import { type Bar, type Span, toBars } from './day-bars.ts';

type Tables = Database['public']['Tables'];
export type DayRow = Tables['timesheet_days']['Row'];
export type Segment = Pick<
  Tables['time_segments']['Row'],
  'id' | 'day' | 'starts_at' | 'ends_at' | 'minutes' | 'class' | 'rule' | 'attendance_id'
>;
export type Duty = Span & {
  id: string;
  site: string;
  /** The day on which it starts, yyyy-MM-dd. */
  plan_day: string;
};
export type Dispute = Pick<
  Tables['timesheet_disputes']['Row'],
  'id' | 'day' | 'note' | 'status' | 'answer' | 'answered_at' | 'created_at'
>;

/** One sentence for each difference; unknown shapes of a newer server are left out. */
const sentencesSchema = z.array(z.object({ code: z.string(), text: z.string() })).catch([]);

export type Figures = { planned: number; worked: number; paid: number; missing: number };

export type SheetDay = Figures & {
  day: string;
  sentences: { code: string; text: string }[];
  /** Kinds of open issues. */
  issues: string[];
  plan: Bar<Duty>[];
  work: Bar<Segment>[];
  disputes: Dispute[];
};

export type SheetWeek = Figures & { monday: string; days: SheetDay[] };

export type SheetFacts = {
  days: readonly DayRow[];
  segments: readonly Segment[];
  duties: readonly Duty[];
  disputes: readonly Dispute[];
};

/** Segments that the figures of a locked day do not contain. */
const LATE = {
  code: 'arrived_late',
  text: 'Clock events arrived after the period was locked. An adjustment pays these hours.',
};

const attendedOn = (segments: readonly Segment[], day: string): number =>
  segments
    .filter((segment) => segment.day === day && segment.attendance_id !== null)
    .reduce((sum, { minutes }) => sum + minutes, 0);

export function toSheetDays({ days, segments, duties, disputes }: SheetFacts): SheetDay[] {
  return [...days]
    .sort((a, b) => a.day.localeCompare(b.day))
    .map((row) => ({
      day: row.day,
      planned: row.planned_minutes,
      worked: row.worked_minutes,
      paid: row.paid_minutes,
      missing: row.missing_minutes,
      sentences: [
        ...sentencesSchema.parse(row.explanations),
        ...(attendedOn(segments, row.day) > row.worked_minutes ? [LATE] : []),
      ],
      issues: row.issues,
      plan: toBars(row.day, duties),
      work: toBars(
        row.day,
        segments.filter(({ day }) => day === row.day),
      ),
      disputes: disputes.filter(({ day }) => day === row.day),
    }));
}

/** Whether a planned shift that touches the day is going on. @param at milliseconds since 1970 */
export const isRunning = ({ plan }: Pick<SheetDay, 'plan'>, at: number): boolean =>
  plan.some(
    ({ item: { starts_at, ends_at } }) => Date.parse(starts_at) <= at && at < Date.parse(ends_at),
  );

const sumOf = (days: readonly SheetDay[], name: keyof Figures) =>
  days.reduce((sum, day) => sum + day[name], 0);

export const sumFigures = (days: readonly SheetDay[]): Figures => ({
  planned: sumOf(days, 'planned'),
  worked: sumOf(days, 'worked'),
  paid: sumOf(days, 'paid'),
  missing: sumOf(days, 'missing'),
});

/** A week that crosses the border of the period has the days of the period alone. */
export function groupWeeks(days: readonly SheetDay[]): SheetWeek[] {
  const weeks = new Map<string, SheetDay[]>();
  for (const day of days) {
    const monday = findMonday(day.day);
    weeks.set(monday, [...(weeks.get(monday) ?? []), day]);
  }
  return [...weeks].map(([monday, own]) => ({ monday, days: own, ...sumFigures(own) }));
}
