import { wallTime } from '../wall-time.ts';

const MINUTES_OF_DAY = 1440;
const MINUTES_OF_HOUR = 60;
/** 1970-01-01 was a Thursday. */
const FIRST_MONDAY = 4;
const DAYS_OF_WEEK = 7;

/** Days and weeks of a zone. Days count from 1970-01-01, weeks from Monday 1970-01-05, minutes from 1970 in UTC. */
export interface Calendar {
  dayOf: (minute: number) => number;
  weekOf: (day: number) => number;
  /** 0 is Monday. */
  weekdayOf: (day: number) => number;
  firstDayOf: (week: number) => number;
  startOf: (day: number) => number;
  /** The days on which the span is under way at `time` ('02:00'). */
  nightsOf: (start: number, end: number, time: string) => number[];
}

export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 86_400_000;

export const dayName = (day: number): string =>
  new Date(day * 86_400_000).toISOString().slice(0, 10);

/** Making one takes 20 times as long as using it, and a list of guards shows hundreds of times. */
const shortTimes = new Map<string, Intl.DateTimeFormat>();

/** 'Nov 25, 6:00 PM', the local time of a zone. */
export function shortTime(minute: number, zone: string): string {
  let format = shortTimes.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      month: 'short',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
    });
    shortTimes.set(zone, format);
  }
  return format.format(minute * 60_000).replace('\u202f', ' ');
}

/** Minutes that the zone's clocks are ahead of UTC. Offsets change at most each quarter of an hour. */
function offsetsOf(zone: string): (minute: number) => number {
  const known = new Map<number, number>();
  return (minute) => {
    const quarter = Math.floor(minute / 15);
    const cached = known.get(quarter);
    if (cached !== undefined) return cached;
    const instant = quarter * 15 * 60_000;
    const offset = Math.floor((wallTime(instant, zone) - instant) / 60_000);
    known.set(quarter, offset);
    return offset;
  };
}

export function calendarOf(zone: string): Calendar {
  const offsetAt = offsetsOf(zone);
  const dayOf = (minute: number) => Math.floor((minute + offsetAt(minute)) / MINUTES_OF_DAY);
  const instantOf = (day: number, minuteOfDay: number) => {
    const local = day * MINUTES_OF_DAY + minuteOfDay;
    // The offset depends on the instant, so it is looked up twice.
    return local - offsetAt(local - offsetAt(local));
  };
  return {
    dayOf,
    weekOf: (day) => Math.floor((day - FIRST_MONDAY) / DAYS_OF_WEEK),
    weekdayOf: (day) => (((day - FIRST_MONDAY) % DAYS_OF_WEEK) + DAYS_OF_WEEK) % DAYS_OF_WEEK,
    firstDayOf: (week) => week * DAYS_OF_WEEK + FIRST_MONDAY,
    startOf: (day) => instantOf(day, 0),
    nightsOf(start, end, time) {
      const [hour = 0, minute = 0] = time.split(':').map(Number);
      const nights: number[] = [];
      for (let day = dayOf(start); day <= dayOf(end); day++) {
        const instant = instantOf(day, hour * MINUTES_OF_HOUR + minute);
        if (instant >= start && instant < end) nights.push(day);
      }
      return nights;
    },
  };
}
