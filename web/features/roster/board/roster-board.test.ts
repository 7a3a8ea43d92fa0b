import { beforeEach, expect, it } from 'vitest';
import type { RosterInput } from '#shared/roster/input.ts';
import { assigned, company, guard, minuteOf, shiftAt } from '#tests/support/roster-company.ts';
import { carriedFrom, planDrop, planRemoval } from './roster-moves.ts';
import { type BoardRow, filterSeatRows, guardRows, seatRows } from './roster-rows.ts';
import { ConflictError, createRosterSession } from './roster-session.ts';
import { createRosterStore, type Edit, type Move, type RosterState } from './roster-store.ts';
import { boardTotals } from './roster-totals.ts';
import { createTopics } from './topics.ts';

const BEFORE = () => minuteOf('2026-11-20T08:00:00Z');

/** Two guards on the day shifts of Monday and Tuesday, an open night on Monday, and a shift for two. */
const input = (more: Partial<RosterInput> = {}) =>
  company({
    people: [
      guard('moses', { name: 'Moses Kollie' }),
      guard('hawa', { name: 'Hawa Paye' }),
      guard('joe', { name: 'Joe Doe' }),
    ],
    shifts: [
      shiftAt('mon', '2026-11-23T06:00:00Z', 12),
      shiftAt('night', '2026-11-23T18:00:00Z', 12),
      shiftAt('tue', '2026-11-24T06:00:00Z', 12),
      shiftAt('pair', '2026-11-26T06:00:00Z', 12, { headcount: 2 }),
    ],
    assignments: [assigned('mon', 'moses')],
    changes: [{ shift_id: 'tue', user_id: 'hawa', change: 'assign' }],
    ...more,
  });

const open = (more?: Partial<RosterInput>, now = BEFORE) => createRosterStore(input(more), now);
const boardOf = (store: ReturnType<typeof open>) => ({
  store,
  rows: seatRows(store.index, ({ id, headcount }) => Math.max(headcount, store.seatsOf(id).length)),
});
const cellOf = (rows: readonly BoardRow[], shiftId: string, seat = 0) => {
  const row = rows.find(
    (each) => each.kind === 'seat' && each.seat === seat && each.shifts.includes(shiftId),
  );
  if (row?.kind !== 'seat') throw new Error(`No row of ${shiftId}`);
  return { row: row.key, column: row.shifts.indexOf(shiftId) };
};
const on = (shift_id: string, user_id: string): Move => ({ shift_id, user_id, on: true });
const off = (shift_id: string, user_id: string): Move => ({ shift_id, user_id, on: false });

it('has a row for each seat of a time of day, with a cell for each day', () => {
  const { rows } = boardOf(open());
  expect(rows.map((row) => (row.kind === 'seat' ? `${row.hours} ${row.seat}` : row.kind))).toEqual([
    'site',
    '6 AM - 6 PM 0',
    '6 AM - 6 PM 1',
    '6 PM - 6 AM 0',
  ]);
  const [, day, second, night] = rows;
  expect(day).toMatchObject({
    shifts: ['mon', 'tue', undefined, 'pair', undefined, undefined, undefined],
  });
  expect(second).toMatchObject({ isNight: false, shifts: expect.arrayContaining(['pair']) });
  expect(night).toMatchObject({ isNight: true });
});

it('counts seats, gaps, hours and overtime of the shifts shown', () => {
  const store = open();
  expect(boardTotals(store, () => true)).toEqual({
    seats: 5,
    filled: 2,
    gaps: 3,
    gapsOn: [1, 0, 0, 2, 0, 0, 0],
    hours: 24,
    overtime: 0,
  });
  expect(boardTotals(store, ({ id }) => id === 'pair')).toMatchObject({ seats: 2, gaps: 2 });
});

it('shows only rows of the filters, with the heading of their site', () => {
  const store = open();
  const { rows } = boardOf(store);
  expect(filterSeatRows(rows, store.index, { q: 'embassy' })).toHaveLength(4);
  expect(filterSeatRows(rows, store.index, { q: 'harbour' })).toEqual([]);
  expect(
    filterSeatRows(rows, store.index, {}, (row) => row.isNight).map(({ kind }) => kind),
  ).toEqual(['site', 'seat']);
});

it('tells published guards from those of the draft', () => {
  const store = open();
  expect(store.seatState('mon', 'moses')).toMatchObject({ name: 'Moses Kollie', isDraft: false });
  expect(store.seatState('tue', 'hawa')).toMatchObject({ isDraft: true });
  expect(store.draft()).toEqual([{ shift_id: 'tue', user_id: 'hawa', change: 'assign' }]);
});

it('says before a drop which rule it would break', () => {
  const board = boardOf(
    open({
      assignments: [assigned('mon', 'moses')],
    }),
  );
  const { store, rows } = board;
  const plan = planDrop(
    board,
    { kind: 'guard', userId: 'moses', name: 'Moses Kollie' },
    cellOf(rows, 'night'),
    false,
  );
  expect(plan.problems.map(({ message }) => message)).toEqual(['0 h rest, 12 needed']);
  // Nothing is changed by asking.
  expect([...store.effective.peopleOn('night')]).toEqual([]);
});

it('moves a guard whose old shift no longer counts, and swaps two', () => {
  const board = boardOf(open());
  const from = cellOf(board.rows, 'mon');
  const carried = carriedFrom(board, [from], from);
  if (!carried) throw new Error('Nothing to carry');
  const moved = planDrop(board, carried, cellOf(board.rows, 'night'), false);
  expect(moved.problems).toEqual([]);
  expect(moved.edit.moves).toEqual([off('mon', 'moses'), { ...on('night', 'moses'), seat: 0 }]);
  const swapped = planDrop(board, carried, cellOf(board.rows, 'tue'), false);
  expect(swapped.edit.label).toBe('Swap Moses Kollie');
  expect(
    swapped.edit.moves.map(({ shift_id, user_id, on: isOn }) => [shift_id, user_id, isOn]),
  ).toEqual([
    ['mon', 'moses', false],
    ['tue', 'hawa', false],
    ['tue', 'moses', true],
    ['mon', 'hawa', true],
  ]);
});

it('gives a shift to another guard in the rows of guards', () => {
  const store = open();
  const board = { store, rows: guardRows(store.input) };
  const duty = { kind: 'duty', shiftId: 'mon', userId: 'moses', name: '' } as const;
  const plan = planDrop(board, duty, { row: 'guard|joe', column: 0 }, false);
  expect(plan.edit.moves).toEqual([off('mon', 'moses'), on('mon', 'joe')]);
  expect(planDrop(board, duty, { row: 'guard|joe', column: 5 }, false).problems[0]?.message).toBe(
    'No open shift of this post on that day',
  );
});

it('opens the seat of a guard who is on leave, and says who', () => {
  const store = open({ assignments: [{ ...assigned('mon', 'moses'), absence: 'leave' }] });
  expect(boardTotals(store, () => true)).toMatchObject({ seats: 5, filled: 1, gaps: 4 });
  expect(store.seatsOf('mon')).toEqual([undefined]);
  expect(store.absentAt('mon', 0)).toEqual({
    name: 'Moses Kollie',
    absence: 'leave',
    reason: 'is on leave',
  });
  expect(store.absentAt('mon', 1)).toBeUndefined();
  expect([store.removedFrom('mon'), store.draft()]).toMatchObject([[], [{ shift_id: 'tue' }]]);
  store.begin({ label: 'Fill', moves: [on('mon', 'joe')] });
  expect(boardTotals(store, () => true)).toMatchObject({ filled: 2, gaps: 3 });
  expect(store.draft()).toMatchObject([
    { shift_id: 'mon', user_id: 'joe', change: 'assign' },
    { shift_id: 'tue' },
  ]);
});

it('has nothing open in shifts that are over', () => {
  const store = open({}, () => minuteOf('2026-11-23T18:00:00Z'));
  expect(boardTotals(store, ({ id }) => id === 'mon')).toMatchObject({ filled: 1, gaps: 0 });
  expect(boardTotals(store, () => true)).toMatchObject({ seats: 5, filled: 2, gaps: 3 });
});

it('leaves alone who has clocked in, and shifts that have ended', () => {
  const clocked = {
    shift_id: 'mon',
    user_id: 'moses',
    absence: null,
    clocked: true,
    override: false,
  };
  const board = boardOf(open({ assignments: [clocked] }));
  expect(planRemoval(board, [cellOf(board.rows, 'mon')]).moves).toEqual([]);
  const later = boardOf(open({}, () => minuteOf('2026-11-25T08:00:00Z')));
  expect(planRemoval(later, [cellOf(later.rows, 'tue')]).moves).toEqual([]);
  const drop = planDrop(
    later,
    { kind: 'guard', userId: 'joe', name: 'Joe Doe' },
    cellOf(later.rows, 'night'),
    false,
  );
  expect(drop.problems[0]?.message).toBe('This shift has ended');
});

let saved: Move[][];
let server: RosterState;
let refused: Edit[];
let refuseNext: boolean;

beforeEach(() => {
  saved = [];
  refused = [];
  refuseNext = false;
  server = input();
});

function begin() {
  const store = open();
  const session = createRosterSession(
    store,
    {
      save: async (moves) => {
        if (refuseNext) {
          refuseNext = false;
          throw new ConflictError('The roster has changed', []);
        }
        saved.push([...moves]);
        for (const { shift_id, user_id, on: isOn } of moves) {
          const others = server.changes.filter(
            (row) => row.shift_id !== shift_id || row.user_id !== user_id,
          );
          const isPublished = server.assignments.some(
            (row) => row.shift_id === shift_id && row.user_id === user_id,
          );
          const change = isOn ? 'assign' : 'unassign';
          server = {
            ...server,
            changes: isPublished === isOn ? others : [...others, { shift_id, user_id, change }],
          };
        }
      },
      pin: async () => undefined,
      load: async () => server,
    },
    { onRefused: (edit) => refused.push(edit) },
  );
  const guardsOn = (shiftId: string) => [...store.effective.peopleOn(shiftId)];
  return { store, session, guardsOn };
}

it('shows an edit at once, saves it, and undoes and redoes it', async () => {
  const { store, session, guardsOn } = begin();
  void session.edit({ label: 'Assign Joe Doe', moves: [on('night', 'joe')] });
  expect(guardsOn('night')).toEqual(['joe']);
  expect(store.pendingCount()).toBe(1);
  await session.settled();
  expect(store.pendingCount()).toBe(0);
  expect(saved).toHaveLength(1);
  session.undo();
  expect(guardsOn('night')).toEqual([]);
  expect(session.nextRedo()).toBe('Assign Joe Doe');
  session.redo();
  await session.settled();
  expect(guardsOn('night')).toEqual(['joe']);
  expect(saved.flat().map(({ on: isOn }) => isOn)).toEqual([true, false, true]);
});

it('puts a refused edit back, reports it, and saves the next one', async () => {
  const { session, guardsOn } = begin();
  refuseNext = true;
  void session.edit({ label: 'Assign Joe Doe', moves: [on('night', 'joe')] });
  void session.edit({ label: 'Remove Hawa Paye', moves: [off('tue', 'hawa')] });
  await session.settled();
  expect(refused.map(({ label }) => label)).toEqual(['Assign Joe Doe']);
  expect(guardsOn('night')).toEqual([]);
  expect(guardsOn('tue')).toEqual([]);
  expect(session.nextUndo()).toBe('Remove Hawa Paye');
});

it('takes what another planner changed, and keeps what is not saved yet', async () => {
  const { store, session, guardsOn } = begin();
  void session.edit({ label: 'Assign Joe Doe', moves: [on('night', 'joe')] });
  store.receive({ ...server, changes: [{ shift_id: 'pair', user_id: 'moses', change: 'assign' }] });
  expect(guardsOn('pair')).toEqual(['moses']);
  expect(guardsOn('tue')).toEqual([]);
  expect(guardsOn('night')).toEqual(['joe']);
  await session.settled();
});

it('knows why a guard was drafted against a rule after loading again', () => {
  const change = { shift_id: 'tue', user_id: 'hawa', change: 'assign' } as const;
  const store = open({ changes: [{ ...change, override_reason: 'Joe is ill' }] });
  expect(store.seatState('tue', 'hawa')).toMatchObject({ isDraft: true, isOverride: true });
  expect(store.draft()).toEqual([{ ...change, override_reason: 'Joe is ill' }]);
});

it('follows who has confirmed and who asks for a shift', async () => {
  const { store, session } = begin();
  expect(store.seatState('mon', 'moses').isConfirmed).toBe(false);
  const night = store.topics.versionOf('shift night');
  const monday = store.topics.versionOf('shift mon');
  server = {
    ...server,
    assignments: [{ ...assigned('mon', 'moses'), confirmed: true }],
    bids: [{ shift_id: 'night', user_id: 'joe' }],
  };
  await session.refresh();
  expect(store.seatState('mon', 'moses').isConfirmed).toBe(true);
  expect(store.notes.bidsFor('night')).toEqual(['joe']);
  expect(store.topics.versionOf('shift night')).toBeGreaterThan(night);
  expect(store.topics.versionOf('shift mon')).toBeGreaterThan(monday);
});

it('says why a filling left a seat open until the shift is edited', async () => {
  const { store, session } = begin();
  store.notes.setLeftOpen([{ shift_id: 'night', seats: 1, reason: 'No guard is free' }]);
  expect(store.notes.whyOpen('night')).toBe('No guard is free');
  const listed = store.topics.versionOf('left open');
  await session.edit({ label: '', moves: [on('night', 'joe')] });
  expect(store.notes.whyOpen('night')).toBeUndefined();
  expect(store.notes.leftOpen()).toEqual([]);
  expect(store.topics.versionOf('left open')).toBeGreaterThan(listed);
});

it('does not undo what another planner has changed since', async () => {
  const { session, guardsOn } = begin();
  await session.edit({ label: 'Remove Hawa Paye', moves: [off('tue', 'hawa')] });
  server = { ...server, changes: [{ shift_id: 'tue', user_id: 'hawa', change: 'assign' }] };
  await session.refresh();
  expect(guardsOn('tue')).toEqual(['hawa']);
  session.undo();
  await session.settled();
  expect(saved).toHaveLength(1);
  expect(guardsOn('tue')).toEqual(['hawa']);
});

it('keeps the rows of the other guards of a shift', async () => {
  const { store, session } = begin();
  await session.edit({ label: '', moves: [on('pair', 'moses'), on('pair', 'joe')] });
  await session.edit({ label: '', moves: [off('pair', 'moses')] });
  expect(store.seatsOf('pair')).toEqual([undefined, 'joe']);
  session.undo();
  await session.settled();
  expect(store.seatsOf('pair')).toEqual(['moses', 'joe']);
});

it('gives a later version to any topics after a change', () => {
  const topics = createTopics();
  topics.touch('shift');
  topics.touch('guard');
  const before = Math.max(topics.versionOf('shift'), topics.versionOf('guard'));
  topics.touch('shift');
  topics.touch('guard');
  // A row that no longer shows the guard asks for the shift alone.
  expect(topics.versionOf('shift')).toBeGreaterThan(before);
});
