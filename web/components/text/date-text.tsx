import { company } from '#company';
import { formatDateTime, formatDay, formatWeekday } from '#web/lib/format/dates.ts';

/** @returns for example "Sat" */
const weekdayOf = (instant: string, zone: string) => formatWeekday(instant, zone).slice(0, 3);

/** The weekday before the date of a row. */
export function Weekday({ at, zone = company.timeZone }: { at: string; zone?: string }) {
  return <span className="text-muted">{weekdayOf(at, zone)} </span>;
}

/** A moment, on one line. */
export function MomentText({ at }: { at: string }) {
  return (
    <time dateTime={at} className="whitespace-nowrap cramped:whitespace-normal">
      <Weekday at={at} />
      {formatDateTime(at)}
    </time>
  );
}

/** A moment, in a narrow column on two lines: a line ends after the day. */
export function MomentLines({ at }: { at: string }) {
  const [day, time] = formatDateTime(at).split(/, (?=\S+ [AP]M$)/);
  return (
    <time dateTime={at}>
      <span className="whitespace-nowrap cramped:whitespace-normal">
        <Weekday at={at} />
        {day},
      </span>{' '}
      <span className="whitespace-nowrap cramped:whitespace-normal">{time}</span>
    </time>
  );
}

/** A day, on one line. @param day yyyy-MM-dd */
export function DayText({ day }: { day: string }) {
  return (
    <time dateTime={day} className="whitespace-nowrap cramped:whitespace-normal">
      <Weekday at={`${day}T00:00Z`} zone="UTC" />
      {formatDay(day)}
    </time>
  );
}
