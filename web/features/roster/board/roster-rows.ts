// The rows of the board, from what roster_input returns. Pure: who is assigned is in the store.

import { dayNumber } from '#shared/roster/calendar.ts';
import { rosterIndex } from '#shared/roster/effective.ts';
import type { RosterInput, RosterPerson, RosterShift } from '#shared/roster/input.ts';
import { hasWords, searchWords } from '#shared/search-text.ts';
import { daysOfWeek } from '#web/lib/format/days.ts';
import { wallClock } from '#web/lib/format/wall-clock.ts';

const DAY_MS = 86_400_000;

/** One seat of a post at one time of day: a cell for each day. */
export type SeatRow = {
  kind: 'seat';
  key: string;
  siteId: string;
  post: string;
  /** For example "6 PM - 6 AM", in site time. */
  hours: string;
  isNight: boolean;
  /** From 0. */
  seat: number;
  /** Among the shown rows. */
  isFirstOfPost: boolean;
  courses: readonly string[];
  /** The shift of each day. */
  shifts: readonly (string | undefined)[];
};
export type SiteRow = { kind: 'site'; key: string; siteId: string; name: string; client: string };
export type GuardRow = { kind: 'guard'; key: string; person: RosterPerson };
export type BoardRow = SeatRow | SiteRow | GuardRow;

/** @returns for example "6 PM", or "6:30 PM" */
function formatHour(wall: number): string {
  const minutes = Math.floor((wall % DAY_MS) / 60_000);
  const hour = Math.floor(minutes / 60);
  const rest = minutes % 60;
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const tail = rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`;
  return `${twelve}${tail} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** @param minute since 1970, UTC @returns local time as milliseconds since 1970 as if it were UTC */
const wallOf = (minute: number, zone: string): number => wallClock(minute * 60_000, zone).getTime();

/** @returns for example "6 PM - 6 AM" in the zone */
export function formatHours(
  { start, end }: Pick<RosterShift, 'start' | 'end'>,
  zone: string,
): string {
  return `${formatHour(wallOf(start, zone))} - ${formatHour(wallOf(end, zone))}`;
}

/** A shift with what the board looks up again and again. */
export type BoardShift = RosterShift & {
  /** Index of its day. */
  column: number;
  site: RosterInput['sites'][number];
  post: string;
  courses: readonly string[];
  hours: string;
  isNight: boolean;
};

export type BoardIndex = {
  days: readonly string[];
  shifts: ReadonlyMap<string, BoardShift>;
  people: ReadonlyMap<string, RosterPerson>;
  sites: ReadonlyMap<string, RosterInput['sites'][number]>;
};

/** Shifts made by hand at a site, which belong to no post. */
const OTHER = 'Other shifts';

export function indexRoster(input: RosterInput): BoardIndex {
  const { calendar, people, posts, sites } = rosterIndex(input);
  const first = dayNumber(input.from);
  const count = dayNumber(input.to) - first + 1;
  const shifts = new Map<string, BoardShift>();
  for (const shift of input.shifts) {
    const site = sites.get(shift.site_id);
    if (!site) continue;
    const post = shift.post_id === null ? undefined : posts.get(shift.post_id);
    shifts.set(shift.id, {
      ...shift,
      site,
      post: post?.name ?? OTHER,
      courses: post?.courses ?? [],
      column: calendar.dayOf(shift.start) - first,
      hours: formatHours(shift, site.zone),
      isNight: calendar.nightsOf(shift.start, shift.end, input.rules.night_at).length > 0,
    });
  }
  return {
    days: daysOfWeek(input.from, Math.ceil(count / 7)).slice(0, count),
    shifts,
    people,
    sites,
  };
}

type Line = { shifts: (BoardShift | undefined)[]; seats: number; first: BoardShift };

/** @param seatsOf how many rows a shift takes: its headcount, or more if more guards are assigned */
export function seatRows(index: BoardIndex, seatsOf: (shift: BoardShift) => number): BoardRow[] {
  const lines = new Map<string, Line>();
  const ordered = [...index.shifts.values()].sort((a, b) => a.start - b.start);
  for (const shift of ordered) {
    if (shift.column < 0 || shift.column >= index.days.length) continue;
    const base = `${shift.site_id}|${shift.post_id ?? ''}|${shift.hours}`;
    let key = base;
    // Several shifts of one post at the same time get lines of their own.
    for (let twin = 1; lines.get(key)?.shifts[shift.column] !== undefined; twin += 1) {
      key = `${base}|${twin}`;
    }
    const line = lines.get(key) ?? { shifts: [], seats: 0, first: shift };
    line.shifts[shift.column] = shift;
    line.seats = Math.max(line.seats, seatsOf(shift));
    lines.set(key, line);
  }
  const sorted = [...lines].sort(([, a], [, b]) => compareLines(a.first, b.first));
  const rows: BoardRow[] = [];
  let site = '';
  for (const [key, { shifts, seats, first }] of sorted) {
    if (first.site_id !== site) {
      site = first.site_id;
      const { name, client } = first.site;
      rows.push({ kind: 'site', key: `site|${site}`, siteId: site, name, client });
    }
    for (let seat = 0; seat < seats; seat += 1) {
      rows.push({
        kind: 'seat',
        key: `${key}#${seat}`,
        siteId: site,
        post: first.post,
        hours: first.hours,
        isNight: first.isNight,
        seat,
        isFirstOfPost: false,
        courses: first.courses,
        shifts: index.days.map((_, column) => {
          const shift = shifts[column];
          return shift && seat < seatsOf(shift) ? shift.id : undefined;
        }),
      });
    }
  }
  return rows;
}

const minuteOfDay = (shift: BoardShift) => shift.start % 1440;

function compareLines(a: BoardShift, b: BoardShift): number {
  return (
    a.site.name.localeCompare(b.site.name) ||
    a.site_id.localeCompare(b.site_id) ||
    Number(a.post_id === null) - Number(b.post_id === null) ||
    a.post.localeCompare(b.post) ||
    (a.post_id ?? '').localeCompare(b.post_id ?? '') ||
    minuteOfDay(a) - minuteOfDay(b)
  );
}

export function guardRows(input: RosterInput): GuardRow[] {
  return input.people.map((person) => ({ kind: 'guard', key: `guard|${person.id}`, person }));
}

export type RowFilters = {
  q?: string | undefined;
  site?: string | undefined;
  client?: string | undefined;
  supervisor?: string | undefined;
  course?: string | undefined;
};

/** Rows of seats, with the headings of their sites. @param keeps a further condition, such as gaps */
export function filterSeatRows(
  rows: readonly BoardRow[],
  index: BoardIndex,
  filters: RowFilters,
  keeps: (row: SeatRow) => boolean = () => true,
): BoardRow[] {
  const words = searchWords(filters.q ?? '');
  const matches = (row: SeatRow) => {
    const site = index.sites.get(row.siteId);
    if (!site) return false;
    if (filters.site && site.id !== filters.site) return false;
    if (filters.client && site.client !== filters.client) return false;
    if (filters.supervisor && !site.supervisors.includes(filters.supervisor)) return false;
    if (filters.course && !row.courses.includes(filters.course)) return false;
    return hasWords(`${site.name}\n${site.client}\n${row.post}`, words) && keeps(row);
  };
  const kept: BoardRow[] = [];
  let heading: SiteRow | undefined;
  let post = '';
  for (const row of rows) {
    if (row.kind === 'site') heading = row;
    else if (row.kind === 'seat' && matches(row)) {
      if (heading) kept.push(heading);
      heading = undefined;
      const isFirstOfPost = post !== `${row.siteId} ${row.post}`;
      post = `${row.siteId} ${row.post}`;
      kept.push(isFirstOfPost === row.isFirstOfPost ? row : { ...row, isFirstOfPost });
    }
  }
  return kept;
}

/** @param worksAt the sites where the guard has a shift on the board */
export function filterGuardRows(
  rows: readonly GuardRow[],
  index: BoardIndex,
  filters: RowFilters,
  worksAt: (person: RosterPerson) => readonly string[],
): GuardRow[] {
  const words = searchWords(filters.q ?? '');
  const { site, client, supervisor, course } = filters;
  const isThere = (id: string) => {
    const at = index.sites.get(id);
    return (
      at !== undefined &&
      (!site || at.id === site) &&
      (!client || at.client === client) &&
      (!supervisor || at.supervisors.includes(supervisor))
    );
  };
  return rows.filter(({ person }) => {
    if (course && person.certificates[course] === undefined) return false;
    if (!hasWords(person.name, words)) return false;
    if (!site && !client && !supervisor) return true;
    // Also those who know the site and are free.
    return worksAt(person).some(isThere) || Object.keys(person.known).some(isThere);
  });
}
