import { createHash } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import { type Post, queueRevocation, sendRevocations } from './sign-out.ts';

const KEY = 'sessions-to-revoke';
const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
});

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
const tokensOf = (session: string) => ({
  access_token: `h.${btoa(JSON.stringify({ session_id: session }))}.s`,
  refresh_token: `refresh ${session}`,
});
const answering =
  (status: number, asked: unknown[] = []): Post =>
  async (revocation) => {
    asked.push(revocation);
    return new Response(null, { status });
  };

it('stores what ends a session, and neither of its tokens, until the server has ended it', async () => {
  await queueRevocation(tokensOf('a'));
  await queueRevocation({ access_token: 'a.b.c', refresh_token: 'refresh b' });
  expect(JSON.parse(stored.get(KEY) ?? '')).toEqual([
    { session: 'a', proof: hashOf('refresh a') },
    { session: null, proof: hashOf('refresh b') },
  ]);
  await sendRevocations(answering(503));
  expect(JSON.parse(stored.get(KEY) ?? '')).toHaveLength(2);
  const asked: unknown[] = [];
  await sendRevocations(answering(204, asked));
  expect(asked).toHaveLength(2);
  expect(stored.has(KEY)).toBe(false);
});

it('replaces the tokens that an earlier version stored', async () => {
  stored.set(KEY, JSON.stringify([tokensOf('old')]));
  await sendRevocations(() => Promise.reject(new TypeError('offline')));
  expect(JSON.parse(stored.get(KEY) ?? '')).toEqual([
    { session: 'old', proof: hashOf('refresh old') },
  ]);
});
