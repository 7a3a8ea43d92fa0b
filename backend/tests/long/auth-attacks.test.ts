import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newestLetter } from '#tests/support/mailbox.ts';
import { projectWith } from '#tests/support/project.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer({
  PROJECT_DIR: await projectWith({ sign_in_sign_ups: 20, max_frequency: '"0s"' }),
  TRUST_PROXY: 'on',
  LOG_LEVEL: 'fatal',
});
const base = `${server.url}/auth/v1`;
const someone = (): string => `${crypto.randomUUID()}@test.example`;

let hosts = 0;
/** Sends each request from a unique client address unless one is given. */
async function post(path: string, body: object, address?: string) {
  hosts += 1;
  const response = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address ?? `10.1.${hosts >> 8}.${hosts & 255}` },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body: answer };
}

const signUp = (email: string, address?: string) =>
  post('/signup', { email, password: PASSWORD }, address);
const statuses = (answers: { status: number }[]): number[] =>
  answers.map(({ status }) => status).sort();
const mailTo = (email: string) => newestLetter(server.context.config.dataDir, email);
const FOUR = [0, 1, 2, 3];

describe('concurrent uses of a one-time secret succeed exactly once:', () => {
  it('the code from an email', async () => {
    const email = someone();
    await post('/otp', { email });
    const { code } = await mailTo(email);
    const use = () => post('/verify', { type: 'email', email, token: code });
    expect(statuses(await Promise.all(FOUR.map(use)))).toEqual([200, 403, 403, 403]);
    const { rows } = await server.database.owner.query(
      'select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
      [email],
    );
    expect(rows).toHaveLength(1);
  });

  it('the link from an email, and the code in the same email', async () => {
    const email = someone();
    await post('/otp', { email });
    const { link, code } = await mailTo(email);
    const follow = async () => (await fetch(link, { redirect: 'manual' })).headers.get('location');
    const places = await Promise.all(FOUR.map(follow));
    expect(places.filter((place) => place?.includes('access_token='))).toHaveLength(1);
    expect(places.filter((place) => place?.includes('error_code=otp_expired'))).toHaveLength(3);
    const late = await post('/verify', { type: 'email', email, token: code });
    expect(late.status).toBe(403);
  });

  it('the code of a PKCE flow', async () => {
    const email = someone();
    const verifier = randomBytes(32).toString('hex');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    await post('/otp', { email, code_challenge: challenge, code_challenge_method: 's256' });
    const { link } = await mailTo(email);
    const response = await fetch(link, { redirect: 'manual' });
    const code = new URL(response.headers.get('location') ?? '').searchParams.get('code');
    const body = { auth_code: code, code_verifier: verifier };
    const exchange = () => post('/token?grant_type=pkce', body);
    expect(statuses(await Promise.all(FOUR.map(exchange)))).toEqual([200, 404, 404, 404]);
  });
});

describe('an email address', () => {
  it('belongs to one account regardless of case and surrounding spaces', async () => {
    const email = someone();
    expect((await signUp(email)).status).toBe(200);
    for (const spelling of [email.toUpperCase(), ` ${email} `, `\t${email}\n`]) {
      expect((await signUp(spelling)).body, spelling).toMatchObject({
        error_code: 'user_already_exists',
      });
      const body = { email: spelling, password: PASSWORD };
      expect((await post('/token?grant_type=password', body)).status).toBe(200);
    }
  });

  it.each([
    ['a Kelvin sign instead of a K', '\u212Aoffi@test.example'],
    ['a dotless i', 'adm\u0131n@test.example'],
    ['a full-width at sign', 'admin\uFF20test.example'],
    ['a zero-width space', 'ad\u200Bmin@test.example'],
    ['a right-to-left letter', 'admin\u202E@test.example'],
    ['a second at sign', 'admin@test.example@elsewhere.example'],
    ['two addresses', 'admin@test.example,eve@elsewhere.example'],
    ['a display name', 'Admin <admin@test.example>'],
    ['a trailing header', 'admin@test.example\r\nBcc: eve@elsewhere.example'],
    ['a trailing header as an encoded word', 'admin@test.example%0d%0aBcc:eve@elsewhere.example'],
    ['a trailing dot', 'admin@test.example.'],
    ['10,000 letters', `${'a'.repeat(10_000)}@test.example`],
  ])('is rejected with %s', async (_what, email) => {
    for (const [path, body] of [
      ['/signup', { email, password: PASSWORD }],
      ['/otp', { email }],
      ['/recover', { email }],
    ] as const) {
      expect(await post(path, body), path).toMatchObject({
        status: 400,
        body: { error_code: 'validation_failed' },
      });
    }
  });
});

describe('the rate limit of a client address', () => {
  it('stops one password being tried on many accounts, even correct ones, and sends Retry-After', async () => {
    const victims = await Promise.all(Array.from({ length: 3 }, () => server.signedUp()));
    const spray = (email: string, password: string) =>
      post('/token?grant_type=password', { email, password }, '198.51.100.66');
    for (let n = 0; n < 20; n += 1) {
      expect((await spray(victims[n % 3]?.email ?? someone(), 'Summer-2026')).status).toBe(400);
    }
    const refused = await spray(victims[0]?.email ?? '', PASSWORD);
    expect(refused).toMatchObject({
      status: 429,
      body: { error_code: 'over_request_rate_limit' },
    });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const owner = await post('/token?grant_type=password', {
      email: victims[0]?.email,
      password: PASSWORD,
    });
    expect(owner.status).toBe(200);
  });

  it('stops mass sign-ups and leaves no account behind', async () => {
    const made = await Promise.all(
      Array.from({ length: 25 }, () => signUp(someone(), '198.51.100.67')),
    );
    expect(made.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(made.filter(({ status }) => status === 429)).toHaveLength(5);
  });
});

it('a sign-in takes the same work for an unknown account as for an existing one', async () => {
  const { email } = await server.signedUp();
  const events = async () =>
    (
      await server.database.owner.query(
        `select from auth.audit_log_entries where payload ->> 'action' = 'login_failed'`,
      )
    ).rowCount ?? 0;
  const before = await events();
  const answers = [];
  for (const name of [email, someone()]) {
    const { body, status } = await post('/token?grant_type=password', {
      email: name,
      password: 'wrong-one',
    });
    answers.push({ status, body });
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(await events()).toBe(before + 2);
});
