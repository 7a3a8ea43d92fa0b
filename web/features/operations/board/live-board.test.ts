import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLiveBoard } from './live-board.ts';
import type { BoardAnswer, BoardPart, Shift } from './operations-schema.ts';

const NOW = Date.parse('2026-03-02T02:00:00Z');
const SITE = 'site';

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

const shift = (id: string, needed = 1): Shift => ({
  id,
  site_id: SITE,
  post_id: null,
  post: null,
  starts: new Date(NOW - 3_600_000).toISOString(),
  ends: new Date(NOW + 3_600_000).toISOString(),
  needed,
  empty: needed,
  guards: [],
  alerts: [],
});

/** A board whose server has these shifts and records what it is asked. */
const boardWith = (...ids: string[]) => boardOf(null, ids);

const PART: BoardPart = {
  counts: {
    sos: 0,
    missing: 0,
    empty: 0,
    left_early: 0,
    no_signal: 0,
    late: 0,
    unconfirmed: 0,
    due: 0,
    on_post: 0,
  },
  posts: 9000,
  clients: [],
  supervisors: [],
  counties: [],
};
const partWith = (...ids: string[]) => boardOf(PART, ids);

function boardOf(part: BoardPart | null, ids: string[]) {
  const stored = new Map(ids.map((id) => [id, shift(id)]));
  const requests: (string[] | 'all')[] = [];
  let isDown = false;
  async function answer(asked: string[] | 'all'): Promise<BoardAnswer> {
    requests.push(asked);
    if (isDown) throw new TypeError('Failed to fetch');
    const shifts = [...stored.values()].filter(({ id }) => asked === 'all' || asked.includes(id));
    return { at: new Date().toISOString(), sites: [], shifts, part: asked === 'all' ? part : null };
  }
  const live = createLiveBoard({
    fetchWindow: () => answer('all'),
    fetchShifts: (asked) => answer(asked),
  });
  const stop = live.start();
  return {
    ...{ live, stored, requests, stop },
    fails: (down: boolean) => {
      isDown = down;
    },
    shown: () => [...(live.get().board?.shifts.keys() ?? [])],
  };
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const clockedIn = (shiftId: string) =>
  ({ eventType: 'UPDATE', new: { id: `a${shiftId}`, shift_id: shiftId }, old: {} }) as const;

describe('the board', () => {
  it('loads once, then only the shift that changed', async () => {
    const { live, requests, stored } = boardWith('a', 'b');
    await wait(10);
    stored.set('b', shift('b', 3));
    live.changed('assignments', clockedIn('b'));
    await wait(600);
    expect(requests).toEqual(['all', ['b']]);
    expect(live.get().board?.shifts.get('b')?.needed).toBe(3);
  });

  it('asks for many changes at once, and not more often than every 300 ms', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
    const { live, requests } = boardWith(...ids);
    await wait(400);
    for (const id of ids) {
      live.changed('assignments', clockedIn(id));
      await wait(50);
    }
    await wait(600);
    const [first, ...later] = requests;
    expect(first).toBe('all');
    expect(later.flat().sort()).toEqual([...ids].sort());
    expect(later.length).toBeLessThanOrEqual(8);
  });

  it('ignores shifts of other days, adds new ones and drops deleted ones', async () => {
    const { live, requests, stored, shown } = boardWith('a');
    await wait(400);
    const insert = (id: string, hours: number) => {
      const start_time = new Date(NOW + hours * 3_600_000).toISOString();
      const end_time = new Date(NOW + (hours + 8) * 3_600_000).toISOString();
      live.changed('shifts', { eventType: 'INSERT', new: { id, start_time, end_time }, old: {} });
    };
    insert('next week', 168);
    live.changed('assignments', clockedIn('next week'));
    await wait(600);
    expect(requests).toEqual(['all']);

    stored.set('new', shift('new'));
    insert('new', 1);
    stored.delete('a');
    live.changed('shifts', { eventType: 'DELETE', new: {}, old: { id: 'a' } });
    await wait(600);
    expect(shown()).toEqual(['new']);
  });

  it('says that it lost the server, since when, and then reads everything', async () => {
    const { live, requests, stored, fails } = boardWith('a');
    await wait(10);
    const heard = live.get().confirmedAt;
    fails(true);
    await wait(10_000);
    live.beat();
    await wait(10);
    expect(live.get()).toMatchObject({ isLost: true, confirmedAt: heard });
    expect(live.get().board?.shifts.size).toBe(1);

    fails(false);
    stored.set('missed', shift('missed'));
    live.beat();
    await wait(10);
    expect(live.get().isLost).toBe(false);
    expect(live.get().board?.shifts.has('missed')).toBe(true);
    expect(requests.at(-1)).toBe('all');
  });

  it('reads everything after changes that may have been missed', async () => {
    const { live, requests } = boardWith('a');
    await wait(400);
    live.changed('shifts');
    live.changed('assignments');
    await wait(600);
    expect(requests).toEqual(['all', 'all']);
  });

  it('fetches a shift that has an alert, or whose details are opened, also if it is of another part', async () => {
    const { live, requests, stored, shown } = partWith('a');
    await wait(400);
    stored.set('b', shift('b')).set('c', shift('c'));
    live.changed('alerts', { eventType: 'INSERT', new: { id: 'x', shift_id: 'b' }, old: {} });
    live.changed('assignments', clockedIn('c'));
    await wait(600);
    expect(requests).toEqual(['all', ['b']]);
    live.want('c');
    await wait(600);
    expect(shown()).toEqual(['a', 'b', 'c']);
    expect(live.get().board?.part?.posts).toBe(9000);
  });
});
