import { afterEach, expect, it, vi } from 'vitest';
import { outboxStore } from '#web/lib/outbox/store.ts';
import { pushedCheck, sendStoredAnswer, storeAnswer } from './pushed-check.ts';
import { readAnswers } from './welfare.ts';

const CHECK = {
  userId: crypto.randomUUID(),
  assignmentId: crypto.randomUUID(),
  checkId: crypto.randomUUID(),
  token: 'f'.repeat(64),
};
const connection = async () =>
  Response.json({ supabaseUrl: 'https://x.example', supabaseAnonKey: 'anon' });
const waiting = async () => (await outboxStore()).listOf(CHECK.userId);

const fetched = vi.spyOn(globalThis, 'fetch');
// Node has no IndexedDB: the entries are in memory.
vi.spyOn(console, 'warn').mockReturnValue();
afterEach(() => fetched.mockReset());

it('is stored as the page’s own answer before it is sent, and removed once the server has it', async () => {
  const id = await storeAnswer(CHECK);
  expect(readAnswers(await waiting())).toMatchObject([{ assignmentId: CHECK.assignmentId }]);

  fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await expect(sendStoredAnswer(id, connection())).rejects.toThrow('Failed to fetch');
  fetched.mockResolvedValueOnce(new Response('', { status: 503 }));
  await expect(sendStoredAnswer(id, connection())).rejects.toThrow('503');
  expect(await waiting()).toHaveLength(1);

  fetched.mockResolvedValueOnce(Response.json(1));
  expect(await sendStoredAnswer(id, connection())).toBe(true);
  expect(await waiting()).toEqual([]);
  expect(fetched).toHaveBeenLastCalledWith(
    'https://x.example/rest/v1/rpc/answer_pushed_check',
    expect.objectContaining({ body: expect.stringContaining(CHECK.token) }),
  );
  // The page, or an earlier attempt, has sent it.
  expect(await sendStoredAnswer(id, connection())).toBe(true);
  expect(fetched).toHaveBeenCalledTimes(3);
});

it('stays for the page when the server refuses the token', async () => {
  const id = await storeAnswer(CHECK);
  fetched.mockResolvedValueOnce(new Response('', { status: 404 }));
  expect(await sendStoredAnswer(id, connection())).toBe(false);
  expect(await waiting()).toHaveLength(1);
});

it('knows a message about a check, and no other', () => {
  expect(pushedCheck(CHECK)).toEqual(CHECK);
  expect(pushedCheck({ ...CHECK, token: 5 })).toBeUndefined();
  expect(pushedCheck(undefined)).toBeUndefined();
});
