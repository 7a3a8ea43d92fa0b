import { addDays, getDay } from 'date-fns';

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
