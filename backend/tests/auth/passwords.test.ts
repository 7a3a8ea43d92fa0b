import { describe, expect, it } from 'vitest';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer();
const service = `Bearer ${server.context.keys.serviceKey}`;

interface Answer {
  status: number;
  body: { error_code?: string; weak_password?: { reasons: string[] } };
}

async function call(method: string, path: string, body: object, bearer = ''): Promise<Answer> {
  const response = await fetch(`${server.url}/auth/v1${path}`, {
    method,
    headers: bearer === '' ? {} : { authorization: bearer },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const person = await server.signedUp();
const { data } = await person.client.auth.getSession();
const own = `Bearer ${data.session?.access_token}`;
const email = (): string => `${crypto.randomUUID()}@test.example`;

const PLACES: [string, (password: string) => Promise<Answer>][] = [
  ['sign-up', (password) => call('POST', '/signup', { email: email(), password })],
  ['a user who changes their password', (password) => call('PUT', '/user', { password }, own)],
  [
    'an admin who creates an account',
    (password) => call('POST', '/admin/users', { email: email(), password }, service),
  ],
  [
    'an admin who changes a password',
    (password) => call('PUT', `/admin/users/${person.id}`, { password }, service),
  ],
  [
    'an admin who generates a sign-up link',
    (password) =>
      call('POST', '/admin/generate_link', { type: 'signup', email: email(), password }, service),
  ],
];

describe.each(PLACES)('%s', (_what, set) => {
  it.each([
    ['a very common password', 'qwertyuiop', 422, 'weak_password', ['pwned']],
    ['a very common password in another case', 'QwertyUIOP', 422, 'weak_password', ['pwned']],
    ['a password that is too short', 'a1b2c', 422, 'weak_password', ['length']],
    [
      "a password longer than bcrypt's 72 bytes",
      'é'.repeat(37),
      400,
      'validation_failed',
      undefined,
    ],
    ['a password of 100 kB', 'x'.repeat(100_000), 400, 'validation_failed', undefined],
  ])("can't use %s", async (_kind, password, status, code, reasons) => {
    const answer = await set(password);
    expect(answer).toMatchObject({ status, body: { error_code: code } });
    expect(answer.body.weak_password?.reasons).toEqual(reasons);
  });
});

it('rejected passwords changed nothing', async () => {
  const { rows } = await server.database.owner.query('select id from auth.users');
  expect(rows).toEqual([{ id: person.id }]);
  const { error } = await server
    .client()
    .auth.signInWithPassword({ email: person.email, password: PASSWORD });
  expect(error).toBeNull();
});

it('a temporary password set by an admin has at least eight characters', async () => {
  const make = (password: string) =>
    call(
      'POST',
      '/admin/users',
      { email: email(), password, app_metadata: { must_change_password: true } },
      service,
    );
  expect(await make('seven-7')).toMatchObject({
    status: 422,
    body: { msg: 'Password should be at least 8 characters.' },
  });
  expect((await make('eight-88')).status).toBe(200);
});

it('a password that has become weak still signs in, with a warning', async () => {
  await server.database.owner.query(
    `update auth.users set encrypted_password = extensions.crypt('liverpool', extensions.gen_salt('bf', 6)) where id = $1`,
    [person.id],
  );
  const { data: signedIn } = await server
    .client()
    .auth.signInWithPassword({ email: person.email, password: 'liverpool' });
  expect(signedIn.weakPassword).toMatchObject({ reasons: ['pwned'] });
});
