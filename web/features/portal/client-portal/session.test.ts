import { beforeEach, expect, it, vi } from 'vitest';

const URL_OF_BACKEND = 'https://portal.example';
const KEY = 'sb-portal-auth-token';
const CONTACT = { id: 'contact', app_metadata: { client: true } };
const HOUR_S = 3600;
const nowS = () => Math.floor(Date.now() / 1000);

type Call = { path: string; token: string | null };
let stored: Map<string, string>;
let calls: Call[];
/** Answers by path and token; 404 for others. */
let answers: (call: Call) => [status: number, body: unknown];

const session = (token: string, expiresInS = HOUR_S) => ({
  access_token: token,
  refresh_token: `${token}-refresh`,
  expires_in: expiresInS,
  expires_at: nowS() + expiresInS,
  token_type: 'bearer',
  user: CONTACT,
});

/** The module as a page that was just opened has it. */
async function openPage(address = '/client') {
  vi.resetModules();
  vi.stubGlobal('location', new URL(address, URL_OF_BACKEND));
  const replaceState = vi.fn();
  vi.stubGlobal('history', { state: null, replaceState });
  const { openSession, fetchAsContact, onSessionChange, signOut } = await import('./session.ts');
  const users: (string | undefined)[] = [];
  onSessionChange((user) => users.push(user));
  await openSession();
  const rows = () => fetchAsContact(`${URL_OF_BACKEND}/rest/v1/rows`);
  return { users, rows, signOut, replaceState };
}

beforeEach(() => {
  stored = new Map();
  calls = [];
  answers = () => [404, {}];
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('document', { visibilityState: 'visible' });
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input === '/app-config.json') {
      const config = {
        supabaseUrl: URL_OF_BACKEND,
        supabaseAnonKey: 'anon',
        signupPolicy: 'closed',
      };
      return Response.json(config);
    }
    const { pathname, search } = new URL(input);
    const token = new Headers(init?.headers).get('Authorization')?.replace('Bearer ', '') ?? null;
    const call = { path: pathname + search, token };
    calls.push(call);
    const [status, body] = answers(call);
    return Response.json(body, { status });
  });
});

const REFRESH = '/auth/v1/token?grant_type=refresh_token';

it('the link of a mail signs in, and leaves the address clean', async () => {
  answers = ({ path, token }) =>
    path === '/auth/v1/user' && token === 'new' ? [200, CONTACT] : [404, {}];
  const link = '/client#access_token=new&refresh_token=r&expires_in=3600&type=magiclink';
  const { users, replaceState } = await openPage(link);
  expect(users).toEqual(['contact']);
  expect(JSON.parse(stored.get(KEY) ?? '')).toMatchObject({
    access_token: 'new',
    refresh_token: 'r',
    user: CONTACT,
  });
  expect(replaceState).toHaveBeenCalledWith(null, '', '/client');
});

it('a link that the server refuses signs nobody in', async () => {
  answers = () => [403, {}];
  const { users, replaceState } = await openPage('/client#access_token=old&refresh_token=r');
  expect(users).toEqual([undefined]);
  expect(stored.size).toBe(0);
  expect(replaceState).toHaveBeenCalled();
});

it('requests at the same time share one renewal of an expired token', async () => {
  stored.set(KEY, JSON.stringify(session('old', -5)));
  answers = ({ path }) => (path === REFRESH ? [200, session('new')] : [200, []]);
  const { rows } = await openPage();
  await Promise.all([rows(), rows(), rows()]);
  expect(calls.map(({ path, token }) => `${path} ${token}`)).toEqual([
    `${REFRESH} anon`,
    ...Array(3).fill('/rest/v1/rows new'),
  ]);
  expect(JSON.parse(stored.get(KEY) ?? '')).toMatchObject({ refresh_token: 'new-refresh' });
});

it('a token that another tab has renewed is used as it is', async () => {
  stored.set(KEY, JSON.stringify(session('old', -5)));
  answers = () => [200, []];
  const { rows } = await openPage();
  stored.set(KEY, JSON.stringify(session('renewed')));
  await rows();
  expect(calls).toEqual([{ path: '/rest/v1/rows', token: 'renewed' }]);
});

it('a token that the server refuses is renewed once, also if the clock says that it is valid', async () => {
  stored.set(KEY, JSON.stringify(session('old')));
  answers = ({ path, token }) => {
    if (path === REFRESH) return [200, session('new')];
    return token === 'new' ? [200, []] : [401, {}];
  };
  const { rows } = await openPage();
  expect((await rows()).status).toBe(200);
  answers = ({ path }) => (path === REFRESH ? [200, session('newer')] : [401, {}]);
  expect((await rows()).status).toBe(401);
});

it('a session that can’t be renewed ends; a server that is not well ends none', async () => {
  stored.set(KEY, JSON.stringify(session('old', -5)));
  answers = () => [503, {}];
  const { rows, users } = await openPage();
  await expect(rows()).rejects.toThrow('The server is busy');
  expect(users).toEqual(['contact']);
  answers = ({ path }) => (path === REFRESH ? [400, {}] : [200, []]);
  await expect(rows()).rejects.toThrow('Your session has ended');
  expect(users).toEqual(['contact', undefined]);
  expect(stored.has(KEY)).toBe(false);
});

it('signing out forgets the session at once and ends it on the server', async () => {
  stored.set(KEY, JSON.stringify(session('mine')));
  answers = () => [204, null];
  vi.stubGlobal('fetch', async (input: string) => {
    calls.push({ path: new URL(input, URL_OF_BACKEND).pathname, token: null });
    return input === '/app-config.json'
      ? Response.json({
          supabaseUrl: URL_OF_BACKEND,
          supabaseAnonKey: 'anon',
          signupPolicy: 'closed',
        })
      : new Response(null, { status: 204 });
  });
  const { signOut, users } = await openPage();
  signOut();
  expect(users).toEqual(['contact', undefined]);
  expect(stored.has(KEY)).toBe(false);
  await expect.poll(() => calls.at(-1)?.path).toBe('/rest/v1/rpc/end_left_session');
});
