import { addDays, getDay } from 'date-fns';
import type { ClientBase } from 'pg';

export interface Holiday {
  /** YYYY-MM-DD */
  day: string;
  name: string;
}

const COUNTRY = 'LR';

/** A public holiday on a Sunday is also kept on the Monday; the library has no rule for that in Liberia. */
export function withMondays(holidays: readonly Holiday[]): Holiday[] {
  return holidays.flatMap((holiday) => {
    const date = new Date(`${holiday.day}T12:00:00`);
    if (getDay(date) !== 0) return [holiday];
    const monday = addDays(date, 1);
    const day = [
      monday.getFullYear(),
      String(monday.getMonth() + 1).padStart(2, '0'),
      String(monday.getDate()).padStart(2, '0'),
    ].join('-');
    return [holiday, { day, name: `${holiday.name} (observed)` }];
  });
}

/** Public holidays of these years, in order. Loads the library, which is large, only here. */
export async function publicHolidays(years: readonly number[]): Promise<Holiday[]> {
  const { default: Holidays } = await import('date-holidays');
  const country = new Holidays(COUNTRY, { types: ['public'] });
  return withMondays(
    years.flatMap((year) =>
      country.getHolidays(year).map(({ date, name }) => ({ day: date.slice(0, 10), name })),
    ),
  );
}

/** Known holidays are not computed again: the library's lists take a tenth of a second to load. */
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
  const holidays = await publicHolidays(years);
  await client.query(
    `insert into public.public_holidays (day, name)
     select * from unnest($1::date[], $2::text[]) on conflict do nothing`,
    [holidays.map(({ day }) => day), holidays.map(({ name }) => name)],
  );
}
