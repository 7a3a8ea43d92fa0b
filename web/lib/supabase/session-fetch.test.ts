import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isConnectionError, isUnavailable } from '../errors/error-message.ts';
import { sessionFetch, unlessRefreshFails } from './session-fetch.ts';

const BACKEND = 'http://backend.example';
const REFRESH = `${BACKEND}/auth/v1/token?grant_type=refresh_token`;
const send = sessionFetch(BACKEND, 'anon');
const answers = vi.fn<typeof fetch>();
const refresh = () => send(REFRESH, { method: 'POST', body: '{}' });
const pending = () => new Promise<string>(() => undefined);

function storeSession(secondsLeft: number) {
  const expires_at = Math.floor(Date.now() / 1000) + secondsLeft;
  const session = { access_token: 'a', refresh_token: 'r', expires_at, user: { id: 'me' } };
  vi.stubGlobal('localStorage', {
    getItem: () => JSON.stringify(session),
    removeItem: () => undefined,
  });
}

beforeEach(() => {
  answers.mockReset();
  vi.stubGlobal('fetch', answers);
  vi.stubGlobal('document', { visibilityState: 'visible' });
  storeSession(-60);
});
afterEach(async () => {
  answers.mockResolvedValue(new Response('{}'));
  await refresh();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('tells what waits for a refresh that it is refused, and what asks afterwards, until one succeeds', async () => {
  const waiting = unlessRefreshFails(BACKEND, pending).catch((error: unknown) => error);
  answers.mockResolvedValueOnce(new Response('<h1>503</h1>', { status: 503 }));
  await refresh();
  expect(isUnavailable(await waiting)).toBe(true);
  await expect(unlessRefreshFails(BACKEND, pending)).rejects.toThrow('Service Unavailable');
  answers.mockResolvedValueOnce(new Response('{}'));
  await refresh();
  expect(await unlessRefreshFails(BACKEND, async () => 'rows')).toBe('rows');
});

it('tells it of a refresh without a response, which goes on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const waiting = unlessRefreshFails(BACKEND, pending).catch((error: unknown) => error);
  let answer = (_response: Response) => {};
  answers.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  const refreshed = refresh();
  await vi.advanceTimersByTimeAsync(8_000);
  expect(isConnectionError(await waiting)).toBe(true);
  answer(new Response('{}'));
  expect((await refreshed).ok).toBe(true);
});

it('lets a session with time left work, whatever becomes of its refresh', async () => {
  storeSession(600);
  answers.mockResolvedValueOnce(new Response('', { status: 503 }));
  await refresh();
  expect(await unlessRefreshFails(BACKEND, async () => 'rows')).toBe('rows');
});

it.each([
  ['as a visitor, while a session is stored', 'anon', -60, 503],
  ['as the user', 'a', 600, 200],
])('asks for rows %s', async (_how, token, secondsLeft, status) => {
  storeSession(secondsLeft);
  answers.mockResolvedValue(new Response('[]'));
  const response = await send(`${BACKEND}/rest/v1/sites`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(status);
  expect(answers).toHaveBeenCalledTimes(status === 200 ? 1 : 0);
});
