import { describe, expect, it } from 'vitest';
import { accepted, NotSent } from './answers.ts';
import type { Change } from './changes.ts';
import { type NewEntry, waitingEntry } from './entry.ts';
import { memoryStore } from './memory-store.ts';
import { retryDelay } from './retry-loop.ts';
import { sendWaiting } from './sender.ts';

const OWNER = 'owner';

type Setting = {
  /** The server's response statuses in order; then 200. */
  statuses?: number[];
  isOrdered?: boolean;
  /** Result of refreshing the token; rejects while offline. */
  renewal?: () => Promise<boolean>;
};

/** An outbox and a server that records what it received, and as which user. */
async function outboxOf(entries: Partial<NewEntry>[], setting: Setting = {}) {
  const { statuses = [], isOrdered = true, renewal = async () => false } = setting;
  const store = memoryStore();
  for (const [index, entry] of entries.entries()) {
    const whole = { id: `${index}`, userId: OWNER, kind: 'clock', title: '', payload: null };
    await store.add(waitingEntry({ ...whole, ...entry }, 0, null), []);
  }
  const sent: string[] = [];
  const changes: Change[] = [];
  let signedIn: string | undefined = OWNER;
  let isReachable = true;
  const pass = (kind = 'clock') =>
    sendWaiting({
      store,
      kind,
      isOrdered,
      currentUser: async () => {
        if (!isReachable) throw new NotSent('offline', 'No network.');
        return signedIn === undefined ? undefined : { userId: signedIn, connection: signedIn };
      },
      refreshToken: renewal,
      loadSender: async () =>
        kind === 'unknown'
          ? undefined
          : async (entry, { connection }) => {
              sent.push(`${entry.id} as ${connection}`);
              const status = statuses.shift() ?? 200;
              const error = { message: `Status ${status}.`, code: 'X' };
              accepted({ error: status === 200 ? null : error, status });
            },
      onChange: (change) => changes.push(change),
    });
  const signIn = (userId: string | undefined) => {
    signedIn = userId;
  };
  const reach = (isThere: boolean) => {
    isReachable = isThere;
  };
  return { store, sent, changes, pass, signIn, reach };
}

describe('a pass', () => {
  it('sends everything in order and empties the outbox', async () => {
    const { store, sent, pass } = await outboxOf([{}, {}, {}]);
    expect(await pass()).toBe('done');
    expect(sent).toEqual(['0 as owner', '1 as owner', '2 as owner']);
    expect(await store.listOf(OWNER)).toEqual([]);
  });

  it('stops while offline, and starts with the same entry next time', async () => {
    const { store, sent, pass } = await outboxOf([{}, {}], { statuses: [0] });
    expect(await pass()).toBe('later');
    expect(sent).toEqual(['0 as owner']);
    expect(await store.listOf(OWNER)).toMatchObject([{ attempts: 1, state: 'waiting' }, {}]);
    expect(await pass()).toBe('done');
    expect(sent.slice(1)).toEqual(['0 as owner', '1 as owner']);
  });

  it('stores a refused entry with its reason, and continues', async () => {
    const { store, sent, changes, pass } = await outboxOf([{}, {}], { statuses: [409] });
    expect(await pass()).toBe('done');
    expect(sent).toHaveLength(2);
    expect(changes).toMatchObject([
      { id: '0', outcome: 'refused' },
      { id: '1', outcome: 'sent', sent: { id: '1', kind: 'clock', userId: OWNER } },
    ]);
    expect(await store.listOf(OWNER)).toMatchObject([{ state: 'refused', reason: 'Status 409.' }]);
    await pass();
    expect(sent).toHaveLength(2);
  });

  it.each([503, 429])('on %i holds back those behind it where order matters', async (status) => {
    const entries = [{}, {}, { kind: 'incident' }];
    const { store, sent, pass } = await outboxOf(entries, { statuses: [status] });
    expect(await pass()).toBe('later');
    expect(await pass('incident')).toBe('done');
    expect(sent).toEqual(['0 as owner', '2 as owner']);
    expect(await store.listOf(OWNER)).toHaveLength(2);
  });

  it('in an unordered kind a failure blocks no other entry, until two in a row get no response', async () => {
    const setting = { statuses: [503, 200, 0, 200, 0, 0], isOrdered: false };
    const { sent, pass } = await outboxOf([{}, {}, {}, {}, {}, {}, {}], setting);
    expect(await pass()).toBe('later');
    expect(sent.map((each) => each[0]).join('')).toBe('012345');
  });

  it('leaves entries of a kind that this version of the app does not know', async () => {
    const { store, pass } = await outboxOf([{ kind: 'unknown' }]);
    expect(await pass('unknown')).toBe('later');
    expect(await store.listOf(OWNER)).toHaveLength(1);
  });

  it('refreshes a refused token once, then pauses', async () => {
    const renewed = await outboxOf([{}, {}], { statuses: [401], renewal: async () => true });
    expect(await renewed.pass()).toBe('done');
    expect(renewed.sent).toEqual(['0 as owner', '0 as owner', '1 as owner']);
    const { store, sent, pass } = await outboxOf([{}, {}], { statuses: [401, 401] });
    expect(await pass()).toBe('signed-out');
    expect(sent).toHaveLength(1);
    expect(await store.listOf(OWNER)).toHaveLength(2);
  });

  it('retries later while an expired session can’t be refreshed', async () => {
    const { sent, pass, reach } = await outboxOf([{}]);
    reach(false);
    expect(await pass()).toBe('later');
    reach(true);
    expect(await pass()).toBe('done');
    expect(sent).toHaveLength(1);
    const renewal = () => Promise.reject(new NotSent('offline', 'No network.'));
    const cut = await outboxOf([{}], { statuses: [401], renewal });
    expect(await cut.pass()).toBe('later');
  });

  it('retries after a gateway’s error page', async () => {
    const refusal = (status: number, code?: string) => () =>
      accepted({ error: { message: 'Not found', ...(code && { code }) }, status });
    expect(refusal(404)).toThrow(expect.objectContaining({ verdict: 'busy' }));
    expect(refusal(404, 'PT404')).toThrow(expect.objectContaining({ verdict: 'refused' }));
  });

  it('never sends another user’s entries', async () => {
    const { store, sent, pass, signIn } = await outboxOf([{}, { userId: 'other' }]);
    signIn('other');
    await pass();
    expect(sent).toEqual(['1 as other']);
    signIn(undefined);
    expect(await pass()).toBe('signed-out');
    signIn(OWNER);
    await pass();
    expect(sent).toEqual(['1 as other', '0 as owner']);
    expect(await store.listOf(OWNER)).toEqual([]);
  });
});

it('waits longer after each failure, up to a minute', () => {
  expect([1, 2, 3, 6, 20].map((failures) => retryDelay(failures, 0))).toEqual([
    2_000, 4_000, 8_000, 60_000, 60_000,
  ]);
  expect(retryDelay(1, 1)).toBe(1_500);
});
