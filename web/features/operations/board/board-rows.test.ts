import { describe, expect, test } from 'vitest';
import { detailOf } from './board-row.tsx';
import {
  countRows,
  hasState,
  rowsInState,
  shiftOfRow,
  toBoard,
  toBoardRows,
} from './board-rows.ts';
import type { BoardAnswer, Guard, Shift } from './operations-schema.ts';
import { outlookOf, type SeatState } from './seat-states.ts';

const ANSWER: BoardAnswer = {
  at: '2026-03-02T04:30:00Z',
  sites: [
    {
      id: 'site',
      name: 'Harbour',
      client: 'Port',
      timezone: 'Africa/Monrovia',
      county: null,
      alert_after_minutes: 15,
      supervisors: [],
      latitude: null,
      longitude: null,
    },
  ],
  shifts: [
    {
      id: 'day',
      site_id: 'site',
      post_id: null,
      post: null,
      starts: '2026-03-01T07:00:00Z',
      ends: '2026-03-01T19:00:00Z',
      needed: 1,
      empty: 1,
      guards: [],
      alerts: [],
    },
  ],
};

const shownAt = (time: string) =>
  toBoardRows(toBoard(ANSWER, Date.parse(ANSWER.at)), Date.parse(time)).length;

test('an ended shift leaves the board once less than two hours of it are on the axis', () => {
  expect(shownAt('2026-03-01T21:59:00Z')).toBe(1);
  expect(shownAt('2026-03-01T22:59:00Z')).toBe(1);
  expect(shownAt('2026-03-01T23:00:00Z')).toBe(0);
});

describe('a row opens', () => {
  const HOUR_MS = 3_600_000;
  const now = Date.parse(ANSWER.at);
  /** Shifts of one post from and to these hours from now, which need these guards. */
  function openedOf(...shifts: [id: string, from: number, to: number, empty: number][]) {
    const at = (hours: number) => new Date(now + hours * HOUR_MS).toISOString();
    const answer = {
      ...ANSWER,
      shifts: shifts.map(([id, from, to, empty]) => ({
        ...{ id, site_id: 'site', post_id: 'gate', post: 'Gate', needed: 1, empty },
        ...{ starts: at(from), ends: at(to), guards: [], alerts: [] },
      })),
    };
    const [row] = toBoardRows(toBoard(answer, now), now);
    return row && shiftOfRow(row, now);
  }

  test('the shift that its state comes from', () => {
    expect(openedOf(['last', -11, -3, 1], ['now', -3, 1, 0], ['next', 1, 9, 1])).toBe('next');
  });
  test('otherwise the present, the next or the last shift', () => {
    expect(openedOf(['last', -11, -3, 0], ['now', -3, 1, 0], ['next', 1, 9, 0])).toBe('now');
    expect(openedOf(['last', -11, -3, 0], ['next', 1, 9, 0])).toBe('next');
    expect(openedOf(['before', -12, -8, 0], ['last', -8, -1, 0])).toBe('last');
  });
});

test('a guard without a signal counts as on post, too', () => {
  const now = Date.parse(ANSWER.at);
  const [day] = ANSWER.shifts;
  if (!day) throw new Error('The answer has a shift.');
  const guard = {
    ...{ assignment_id: 'a', user_id: 'u', name: 'James Kollie', phone: null, role: null },
    ...{ status: 'confirmed', on_leave: false, expected: day.starts, joins: null },
    ...{ clock_in: day.starts, clock_out: null, way: null, late_minutes: 0, early_minutes: 0 },
    ...{ left_early: false, distance_m: null, flags: [], heard: null, waiting: 0 },
  };
  const running: Shift = {
    ...{ ...day, ends: '2026-03-02T07:00:00Z', empty: 0, guards: [guard] },
    alerts: [{ id: 'l', kind: 'welfare', assignment_id: 'a' }],
  };
  const rows = toBoardRows(toBoard({ ...ANSWER, shifts: [running] }, now), now);
  expect(countRows(rows)).toMatchObject({ no_signal: 1, on_post: 1 });
  expect(rows.every((row) => hasState(row, 'on_post'))).toBe(true);
});

describe('what a guard says before they come', () => {
  const now = Date.parse(ANSWER.at);
  const MINUTE_MS = 60_000;
  const late = { kind: 'running_late', said: 'says: 20 min late, Bus broke down' } as const;
  const absent = { kind: 'cant_come', said: "can't come: Ill" } as const;

  const guard = (name: string, change: Partial<Guard> = {}): Guard => ({
    ...{ assignment_id: name, user_id: name, name, phone: null, role: null, status: 'confirmed' },
    ...{ on_leave: false, expected: ANSWER.at, joins: null, clock_in: null, clock_out: null },
    ...{ way: null, late_minutes: 0, early_minutes: 0, left_early: false, distance_m: null },
    ...{ flags: [], heard: null, waiting: 0 },
    ...change,
  });
  const said = (notice: typeof late | typeof absent) => ({ ...notice, at: ANSWER.at });
  /** A shift of the post that starts in so many minutes. */
  function shiftOf(id: string, minutes: number, guards: Guard[], empty = 0): Shift {
    const starts = now + minutes * MINUTE_MS;
    return {
      ...{ id, site_id: 'site', post_id: 'gate', post: 'Gate', needed: guards.length + empty },
      ...{ starts: new Date(starts).toISOString(), alerts: [], empty },
      ends: new Date(starts + 480 * MINUTE_MS).toISOString(),
      guards: guards.map((one) => ({ ...one, expected: new Date(starts).toISOString() })),
    };
  }
  function rowWith(...shifts: Shift[]) {
    const [row] = toBoardRows(toBoard({ ...ANSWER, shifts }, now), now);
    if (!row) throw new Error('No row.');
    return row;
  }
  const rowOf = (minutes: number, ...guards: Guard[]) => rowWith(shiftOf('s', minutes, guards));

  test('is in the row of the post, that they can’t come before that they are late', () => {
    const row = rowOf(
      60,
      guard('Ann', { notice: said(late) }),
      guard('Ben', { notice: said(absent) }),
      guard('Cy'),
    );
    expect(detailOf(row, now)).toBe("Ben can't come: Ill");
    expect(detailOf(rowOf(60, guard('Ann', { notice: said(late) })), now)).toBe(
      'Ann says: 20 min late, Bus broke down',
    );
    expect(detailOf(rowOf(60, guard('Ann')), now)).toBe('in 1 h, Ann');
  });

  test('is there hours before the start, and gives way to a guard who is missing without a word', () => {
    expect(detailOf(rowOf(300, guard('Ben', { notice: said(absent) })), now)).toBe(
      "Ben can't come: Ill",
    );
    const row = rowOf(-30, guard('Ann', { notice: said(late), clock_in: ANSWER.at }), guard('Cy'));
    expect(detailOf(row, now)).toBe('30 min, Cy');
  });

  test('opens the shift of the guard who says it', () => {
    const row = rowWith(
      shiftOf('now', -60, [guard('Ann', { clock_in: ANSWER.at })]),
      shiftOf('next', 430, [guard('Ben', { notice: said(absent) })]),
    );
    expect(detailOf(row, now)).toBe("Ben can't come: Ill");
    expect(shiftOfRow(row, now)).toBe('next');
  });

  test('narrowed to a state, a row says and opens what is in that state', () => {
    const row = rowWith(
      shiftOf('now', -370, [guard('Ann', { clock_in: ANSWER.at })]),
      shiftOf('next', 110, [guard('Ben', { notice: said(late) }), guard('Cy')], 1),
    );
    const inState = (state: SeatState) =>
      rowsInState([row], state).map((one) => [detailOf(one, now), shiftOfRow(one, now)]);
    expect(inState('empty')).toEqual([['in 1 h 50 min, 1 of 3', 'next']]);
    expect(inState('on_post')).toEqual([['Ann', 'now']]);
    expect(inState('due')).toEqual([['Ben says: 20 min late, Bus broke down', 'next']]);
    expect(inState('missing')).toEqual([]);
  });

  test('makes the seat no confirmed one', () => {
    const seat = { state: 'done', isOnPost: false } as const;
    const starts = now + 300 * MINUTE_MS;
    const outlook = (one: Guard) => outlookOf({ ...seat, guard: one }, starts, now);
    expect(outlook(guard('Ben', { notice: said(absent) }))).toBe('cant_come');
    expect(outlook(guard('Ann', { notice: said(late) }))).toBe('confirmed');
  });
});
