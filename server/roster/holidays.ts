import { addDays, getDay } from 'date-fns';
import type { ClientBase } from 'pg';

export interface Holiday {
  /** YYYY-MM-DD */
  day: string;
  name: string;
}

/** A day of each year (month, day), or a weekday of a month (month, weekday from Sunday = 0, which of them). */
type Rule = { name: string; month: number } & ({ day: number } | { weekday: number; nth: number });

/**
 * The public holidays of Liberia, in order. The package date-holidays has the same, and a test compares them: it brings
 * 45 MB of other countries' calendars, so it isn't installed for running.
 */
const RULES: readonly Rule[] = [
  { name: "New Year's Day", month: 1, day: 1 },
  { name: 'Armed Forces Day', month: 2, day: 11 },
  { name: 'Decoration Day', month: 3, weekday: 3, nth: 2 },
  { name: "J. J. Robert's Day", month: 3, day: 15 },
  { name: 'Fast and Prayer Day', month: 4, weekday: 5, nth: 2 },
  { name: 'National Unification Day', month: 5, day: 14 },
  { name: 'Independence Day', month: 7, day: 26 },
  { name: 'Flag Day', month: 8, day: 24 },
  { name: 'Thanksgiving', month: 11, weekday: 4, nth: 1 },
  { name: "William Tubman's Birthday", month: 11, day: 29 },
  { name: 'Christmas Day', month: 12, day: 25 },
];

const twoDigits = (value: number) => String(value).padStart(2, '0');

function dayOf(rule: Rule, year: number): string {
  const { month } = rule;
  const first = getDay(new Date(year, month - 1, 1));
  const day = 'day' in rule ? rule.day : 1 + ((rule.weekday - first + 7) % 7) + 7 * (rule.nth - 1);
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

/** A public holiday on a Sunday is also kept on the Monday. */
export function withMondays(holidays: readonly Holiday[]): Holiday[] {
  return holidays.flatMap((holiday) => {
    const date = new Date(`${holiday.day}T12:00:00`);
    if (getDay(date) !== 0) return [holiday];
    const monday = addDays(date, 1);
    const day = `${monday.getFullYear()}-${twoDigits(monday.getMonth() + 1)}-${twoDigits(monday.getDate())}`;
    return [holiday, { day, name: `${holiday.name} (observed)` }];
  });
}

/** Public holidays of these years, in order. */
export function publicHolidays(years: readonly number[]): Holiday[] {
  return withMondays(
    years.flatMap((year) => RULES.map((rule) => ({ day: dayOf(rule, year), name: rule.name }))),
  );
}

async function hasHolidays(client: ClientBase, years: readonly number[]): Promise<boolean> {
  const { rows } = await client.query<{ known: number }>(
    `select count(distinct extract(year from day))::int as known from public.public_holidays
     where extract(year from day) = any ($1)`,
    [years],
  );
  return rows[0]?.known === years.length;
}

export async function writeHolidays(client: ClientBase, years: readonly number[]): Promise<void> {
  if (await hasHolidays(client, years)) return;
  const holidays = publicHolidays(years);
  await client.query(
    `insert into public.public_holidays (day, name)
     select * from unnest($1::date[], $2::text[]) on conflict do nothing`,
    [holidays.map(({ day }) => day), holidays.map(({ name }) => name)],
  );
}
