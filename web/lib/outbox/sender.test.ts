// What is sent, in which order, under whose name, and what becomes of it.
import { describe, expect, it } from 'vitest';
import { accepted } from './answers.ts';
import { firstState, type NewEntry } from './entry.ts';
import { memoryStore } from './memory-store.ts';
import { retryDelay } from './retry-delay.ts';
import { sendWaiting } from './sender.ts';

const OWNER = 'owner';

/** A server that answers with these statuses in turn, then with 200; and notes what it was sent as whom. */
async function outboxOf(entries: Partial<NewEntry>[], statuses: number[] = []) {
  const store = memoryStore();
  for (const [index, entry] of entries.entries()) {
    const whole = { id: `${index}`, userId: OWNER, kind: 'clock', title: '', payload: null };
    await store.add(firstState({ ...whole, ...entry }, 0, null), []);
  }
  const sent: string[] = [];
  let signedIn: string | undefined = OWNER;
  const pass = () =>
    sendWaiting({
      store,
      whoIsIn: async () =>
        signedIn === undefined ? undefined : { userId: signedIn, connection: signedIn },
      sendOf: async (kind) =>
        kind === 'unknown'
          ? undefined
          : async (entry, { connection }) => {
              sent.push(`${entry.id} as ${connection}`);
              const status = statuses.shift() ?? 200;
              const error = status === 200 ? null : { message: `Status ${status}.` };
              accepted({ error, status });
            },
      onChange: () => {},
    });
  const signIn = (userId: string | undefined) => {
    signedIn = userId;
  };
  return { store, sent, pass, signIn };
}

describe('a pass', () => {
  it('sends everything in order and empties the outbox', async () => {
    const { store, sent, pass } = await outboxOf([{}, { kind: 'incident' }, {}]);
    expect(await pass()).toBe('done');
    expect(sent).toEqual(['0 as owner', '1 as owner', '2 as owner']);
    expect(await store.listOf(OWNER)).toEqual([]);
  });

  it('stops without a network, and begins with the same entry the next time', async () => {
    const { store, sent, pass } = await outboxOf([{}, {}], [0]);
    expect(await pass()).toBe('later');
    expect(sent).toEqual(['0 as owner']);
    expect(await store.listOf(OWNER)).toMatchObject([{ attempts: 1, state: 'waiting' }, {}]);
    expect(await pass()).toBe('done');
    expect(sent.slice(1)).toEqual(['0 as owner', '1 as owner']);
  });

  it('keeps what was refused, with the reason, and goes on', async () => {
    const { store, sent, pass } = await outboxOf([{}, {}], [409]);
    expect(await pass()).toBe('done');
    expect(sent).toHaveLength(2);
    expect(await store.listOf(OWNER)).toMatchObject([{ state: 'refused', reason: 'Status 409.' }]);
    await pass();
    expect(sent).toHaveLength(2);
  });

  it.each([503, 429])('on %i holds back that kind and no other', async (status) => {
    const { sent, pass } = await outboxOf(
      [{ kind: 'incident' }, { kind: 'incident' }, {}],
      [status],
    );
    expect(await pass()).toBe('later');
    expect(sent).toEqual(['0 as owner', '2 as owner']);
  });

  it('keeps a kind that this version of the app does not know', async () => {
    const { store, sent, pass } = await outboxOf([{ kind: 'unknown' }, {}]);
    expect(await pass()).toBe('later');
    expect(sent).toEqual(['1 as owner']);
    expect(await store.listOf(OWNER)).toHaveLength(1);
  });

  it('pauses when the session is not accepted', async () => {
    const { store, pass } = await outboxOf([{}, {}], [401]);
    expect(await pass()).toBe('signed-out');
    expect(await store.listOf(OWNER)).toHaveLength(2);
  });

  it('never sends somebody else’s', async () => {
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
