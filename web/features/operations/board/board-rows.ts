// The rows of the board: one for each post, or a site's shifts without a post; shifts of one row never overlap.

import { slots } from '#company';
import { hasWords, searchWords } from '#shared/search-text.ts';
import { listCounties } from '#web/lib/vocabulary/regions.ts';
import type { BoardAnswer, BoardPart, Shift, Site } from './operations-schema.ts';
import type { SEAT_STATES } from './operations-search.ts';
import {
  AHEAD_MS,
  BEHIND_MS,
  findWorst,
  gravity,
  listSeats,
  type Seat,
  type SeatState,
} from './seat-states.ts';
import { isOffAxis, scaleAt } from './time-scale.ts';

/** @param region name of a region or of a county */
export const isInRegion = (county: string | null, region: string): boolean =>
  county !== null && listCounties(region).includes(county);

/** The regions with some of these counties, then the counties by name. */
export function listRegions(counties: readonly (string | null)[]): string[] {
  const known = [...new Set(counties)].filter((county) => county !== null).sort();
  const regions = slots.regions.map(({ name }) => name);
  return [...regions.filter((name) => known.some((county) => isInRegion(county, name))), ...known];
}

export type Bar = { shift: Shift; seats: Seat[]; start: number; end: number };
export type BoardRow = {
  key: string;
  site: Site;
  post: string;
  bars: Bar[];
  /** The gravest of its seats, or the one that the list was narrowed to. */
  state: SeatState;
  isNarrowed?: boolean;
};

export type Board = {
  /** The server's clock minus the device's, milliseconds. */
  offset: number;
  sites: ReadonlyMap<string, Site>;
  shifts: ReadonlyMap<string, Shift>;
  part: BoardPart | undefined;
};

export function toBoard({ at, sites, shifts, part }: BoardAnswer, receivedAt: number): Board {
  return {
    offset: Date.parse(at) - receivedAt,
    sites: new Map(sites.map((site) => [site.id, site])),
    shifts: new Map(shifts.map((shift) => [shift.id, shift])),
    part: part ?? undefined,
  };
}

/** @param asked the shifts that were fetched again; those missing in the answer are gone */
export function withAnswer(board: Board, answer: BoardAnswer, asked: readonly string[]): Board {
  const shifts = new Map(board.shifts);
  for (const id of asked) shifts.delete(id);
  for (const shift of answer.shifts) shifts.set(shift.id, shift);
  const sites = new Map(board.sites);
  for (const site of answer.sites) sites.set(site.id, site);
  return { ...board, sites, shifts };
}

/** Places each bar in the first lane that is free by its start. */
function lanesOf(bars: readonly Bar[]): Bar[][] {
  const lanes: Bar[][] = [];
  for (const bar of bars) {
    const lane = lanes.find((others) => (others.at(-1)?.end ?? 0) <= bar.start);
    if (lane) lane.push(bar);
    else lanes.push([bar]);
  }
  return lanes;
}

/** Danger first, then by the start of what is current, then by name. */
export function toBoardRows({ sites, shifts }: Board, now: number): BoardRow[] {
  const scale = scaleAt(now);
  const groups = new Map<string, { site: Site; post: string; bars: Bar[] }>();
  for (const shift of shifts.values()) {
    const site = sites.get(shift.site_id);
    const start = Date.parse(shift.starts);
    const end = Date.parse(shift.ends);
    if (!site || end <= now - BEHIND_MS || start >= now + AHEAD_MS) continue;
    const seats = listSeats({ shift, site }, now);
    if (isOffAxis(scale, end) && seats.every(({ state }) => state === 'done')) continue;
    const key = shift.post_id ?? shift.site_id;
    const group = groups.get(key) ?? { site, post: shift.post ?? '', bars: [] };
    group.bars.push({ shift, start, end, seats });
    groups.set(key, group);
  }
  return [...groups]
    .flatMap(([key, { site, post, bars }]) =>
      lanesOf(bars.sort((a, b) => a.start - b.start)).map((lane, index) => ({
        key: `${key} ${index}`,
        site,
        post,
        bars: lane,
        state: findWorst(lane.flatMap(({ seats }) => seats.map(({ state }) => state))),
      })),
    )
    .sort(
      (a, b) =>
        gravity(a.state) - gravity(b.state) ||
        a.site.name.localeCompare(b.site.name) ||
        a.post.localeCompare(b.post) ||
        a.key.localeCompare(b.key),
    );
}

export type Counts = Record<(typeof SEAT_STATES)[number], number>;

export function countRows(rows: readonly BoardRow[]): Counts {
  const counts: Counts = {
    sos: 0,
    missing: 0,
    empty: 0,
    left_early: 0,
    no_signal: 0,
    late: 0,
    unconfirmed: 0,
    due: 0,
    on_post: 0,
  };
  for (const { bars } of rows) {
    for (const seat of bars.flatMap(({ seats }) => seats)) {
      if (seat.isOnPost) counts.on_post += 1;
      if (seat.state !== 'done' && seat.state !== 'on_post') counts[seat.state] += 1;
    }
  }
  return counts;
}

type Filters = {
  q?: string | undefined;
  client?: string | undefined;
  supervisor?: string | undefined;
  region?: string | undefined;
  sites?: string | undefined;
};

/** The rows that the filters other than the state leave; the counts are theirs. */
export function filteredRows(rows: readonly BoardRow[], filters: Filters): BoardRow[] {
  const words = searchWords(filters.q ?? '');
  const ids = filters.sites === undefined ? undefined : new Set(filters.sites.split(','));
  return rows.filter(({ site, post, bars }) => {
    if (filters.client && site.client !== filters.client) return false;
    if (filters.supervisor && !site.supervisors.includes(filters.supervisor)) return false;
    if (filters.region && !isInRegion(site.county, filters.region)) return false;
    if (ids && !ids.has(site.id)) return false;
    if (words.length === 0) return true;
    const names = bars.flatMap(({ shift }) => shift.guards.map(({ name }) => name));
    return hasWords([site.name, site.client, post, ...names].join('\n'), words);
  });
}

const isIn = (seat: Seat, state: SeatState) =>
  state === 'on_post' ? seat.isOnPost : seat.state === state;

export const hasState = (row: BoardRow, state: SeatState) =>
  row.bars.some(({ seats }) => seats.some((seat) => isIn(seat, state)));

/** The rows with a seat in this state. What they say and open is about that seat, whatever else is the matter there. */
export const rowsInState = (rows: readonly BoardRow[], state: SeatState): BoardRow[] =>
  rows.filter((row) => hasState(row, state)).map((row) => ({ ...row, state, isNarrowed: true }));

/** The bar that the row's state comes from, and its seats in that state. */
export function barOfState({ bars, state }: BoardRow): { bar: Bar; seats: Seat[] } | undefined {
  if (state === 'done') return undefined;
  const bar = bars.find(({ seats }) => seats.some((seat) => isIn(seat, state)));
  return bar && { bar, seats: bar.seats.filter((seat) => isIn(seat, state)) };
}

/** What a guard of the row says before they come: of the row's state, or of any if that is no graver than late. */
export function noticeOf(row: BoardRow) {
  const isOfStateAlone = row.isNarrowed || gravity(row.state) < gravity('late');
  const notices = row.bars.flatMap(({ shift, seats }) =>
    seats
      .filter((seat) => !isOfStateAlone || isIn(seat, row.state))
      .flatMap(({ guard }) =>
        guard?.notice ? [{ ...guard.notice, name: guard.name, shiftId: shift.id }] : [],
      ),
  );
  return notices.find(({ kind }) => kind === 'cant_come') ?? notices[0];
}

/** The shift that the row as a whole opens: the one that its words are about, else the present, next or last one. */
export function shiftOfRow(row: BoardRow, now: number): string | undefined {
  const notice = noticeOf(row);
  if (notice) return notice.shiftId;
  const bar = barOfState(row)?.bar ?? row.bars.find(({ end }) => end > now) ?? row.bars.at(-1);
  return bar?.shift.id;
}
