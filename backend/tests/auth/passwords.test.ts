// Passwords that are refused, at every place where one is set, and what is stored then: nothing.
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
  ['a change by its owner', (password) => call('PUT', '/user', { password }, own)],
  [
    'an account that an admin makes',
    (password) => call('POST', '/admin/users', { email: email(), password }, service),
  ],
  [
    'a change by an admin',
    (password) => call('PUT', `/admin/users/${person.id}`, { password }, service),
  ],
  [
    'a sign-up link',
    (password) =>
      call('POST', '/admin/generate_link', { type: 'signup', email: email(), password }, service),
  ],
];

describe.each(PLACES)('%s', (_what, set) => {
  it.each([
    ['one of the most common', 'qwertyuiop', 422, 'weak_password', ['pwned']],
    ['the same in another case', 'QwertyUIOP', 422, 'weak_password', ['pwned']],
    ['too short', 'a1b2c', 422, 'weak_password', ['length']],
    ['longer than bcrypt reads, in bytes', 'é'.repeat(37), 400, 'validation_failed', undefined],
    ['100 kB', 'x'.repeat(100_000), 400, 'validation_failed', undefined],
  ])('refuses %s', async (_kind, password, status, code, reasons) => {
    const answer = await set(password);
    expect(answer).toMatchObject({ status, body: { error_code: code } });
    expect(answer.body.weak_password?.reasons).toEqual(reasons);
  });
});

it('none of it changed anything', async () => {
  const { rows } = await server.database.owner.query('select id from auth.users');
  expect(rows).toEqual([{ id: person.id }]);
  const { error } = await server
    .client()
    .auth.signInWithPassword({ email: person.email, password: PASSWORD });
  expect(error).toBeNull();
});

it('a temporary password that an admin makes up has eight characters at least', async () => {
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

it('a password that has become common since still signs in, and that is told', async () => {
  await server.database.owner.query(
    `update auth.users set encrypted_password = extensions.crypt('liverpool', extensions.gen_salt('bf', 6)) where id = $1`,
    [person.id],
  );
  const { data: signedIn } = await server
    .client()
    .auth.signInWithPassword({ email: person.email, password: 'liverpool' });
  expect(signedIn.weakPassword).toMatchObject({ reasons: ['pwned'] });
});
