// Rate limits on password guessing and mass sign-up: 429 with Retry-After, without effect on other users.
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { letters, newestLetter } from '#tests/support/mailbox.ts';
import { projectWith } from '#tests/support/project.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';

const server = await testServer();
/** A second process on the same database. */
const twin = await testServer({ DATABASE_URL: server.database.url });
const strict = await testServer({
  PROJECT_DIR: await projectWith(
    { sign_in_sign_ups: 5, token_refresh: 4 },
    '[auth.external.club]\nenabled = true\nclient_id = "x"\nurl = "http://127.0.0.1:9"',
  ),
  TRUST_PROXY: 'on',
});

const proxied = await testServer({
  PROJECT_DIR: await projectWith({ wrong_passwords_total: 12, max_frequency: '"0s"' }),
  TRUST_PROXY: 'on',
  LOG_LEVEL: 'fatal',
});

interface Attempt {
  status: number;
  retryAfter: number;
  code: unknown;
}

async function post(url: string, body: object, address = '203.0.113.1'): Promise<Attempt> {
  const response = await fetch(`${url}`, {
    method: 'POST',
    headers: { 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { error_code?: unknown };
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    code: answer.error_code,
  };
}

const passwordUrl = (url: string): string => `${url}/auth/v1/token?grant_type=password`;

describe('the limit of wrong passwords per account', () => {
  const guess = (email: string, password = 'wrong-one') =>
    post(passwordUrl(server.url), { email, password });

  it('rejects even the right password after ten attempts in 15 minutes, and lets other users in', async () => {
    const { email } = await server.signedUp();
    const other = await server.signedUp();
    for (let n = 1; n <= 10; n += 1) {
      expect(await guess(email), `guess ${n}`).toMatchObject({
        status: 400,
        code: 'invalid_credentials',
      });
    }
    for (const password of ['wrong-one', PASSWORD]) {
      const refused = await guess(email.toUpperCase(), password);
      expect(refused).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
      expect(refused.retryAfter).toBeGreaterThan(800);
      expect(refused.retryAfter).toBeLessThanOrEqual(900);
    }
    expect(await guess(other.email, PASSWORD)).toMatchObject({ status: 200 });
  });

  it('counts attempts across all processes', async () => {
    const { email } = await server.signedUp();
    const guessAt = (url: string) => post(passwordUrl(url), { email, password: 'wrong-one' });
    for (let n = 1; n <= 5; n += 1) {
      expect((await guessAt(server.url)).status).toBe(400);
      expect((await guessAt(twin.url)).status).toBe(400);
    }
    expect((await guessAt(server.url)).status).toBe(429);
    expect((await guessAt(twin.url)).status).toBe(429);
  });

  it('counts attempts on an account that does not exist', async () => {
    const email = `${crypto.randomUUID()}@test.example`;
    const answers = await Promise.all(Array.from({ length: 14 }, () => guess(email)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  it('counts attempts of a client that disconnects before the response', async () => {
    const { email } = await server.signedUp();
    const url = passwordUrl(server.url);
    for (let n = 1; n <= 10; n += 1) {
      const asked = request(url, { method: 'POST', agent: false });
      asked.on('error', () => {});
      asked.end(JSON.stringify({ email, password: 'wrong-one' }));
      await once(asked, 'finish');
      asked.destroy();
    }
    const countFailures = async () => {
      const { rows } = await server.database.owner.query<{ failed: number }>(
        `select count(*)::int as failed from auth.audit_log_entries
         where payload ->> 'action' = 'login_failed' and payload ->> 'actor_username' = $1
           and ip_address = '127.0.0.1'`,
        [email],
      );
      return rows[0]?.failed;
    };
    await expect.poll(countFailures).toBe(10);
    expect((await guess(email, PASSWORD)).status).toBe(429);
  });

  it('is reset by the right password', async () => {
    const { email } = await server.signedUp();
    for (let round = 0; round < 2; round += 1) {
      for (let n = 1; n <= 6; n += 1) expect((await guess(email)).status).toBe(400);
      expect((await guess(email, PASSWORD)).status).toBe(200);
    }
  });
});

describe('wrong passwords from an unknown network', () => {
  const HOME = '203.0.113.10';
  const guess = (email: string, address: string, password = 'wrong-one') =>
    post(passwordUrl(proxied.url), { email, password }, address);
  const statusesOf = async (email: string, addresses: string[]): Promise<number[]> => {
    const statuses: number[] = [];
    for (const address of addresses) statuses.push((await guess(email, address)).status);
    return statuses;
  };
  /** An account that has signed in from its home network. */
  const atHome = async (): Promise<string> => {
    const { email } = await proxied.signedUp();
    expect((await guess(email, HOME, PASSWORD)).status).toBe(200);
    return email;
  };

  it('lock out that network but not the owner at home', async () => {
    const email = await atHome();
    const eleven = Array<string>(11).fill('198.51.100.66');
    expect(await statusesOf(email, eleven)).toEqual([...Array(10).fill(400), 429]);
    expect((await guess(email, '198.51.100.66', PASSWORD)).status).toBe(429);
    expect((await guess(email, '198.51.100.67', PASSWORD)).status).toBe(200);
    expect((await guess(email, HOME, PASSWORD)).status).toBe(200);
  });

  it('lock out all unknown networks together after a higher limit, whether or not the account exists', async () => {
    const email = await atHome();
    const networks = Array.from({ length: 13 }, (_, n) => `198.51.100.${n}`);
    const expected = [...Array(12).fill(400), 429];
    expect(await statusesOf(email, networks)).toEqual(expected);
    expect(await statusesOf(`${crypto.randomUUID()}@test.example`, networks)).toEqual(expected);
    expect((await guess(email, HOME, PASSWORD)).status).toBe(200);
    const away = await guess(email, '198.51.100.200', PASSWORD);
    expect(away).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
    expect(away.retryAfter).toBeGreaterThan(800);
    const other = await atHome();
    expect((await guess(other, '198.51.100.1', PASSWORD)).status).toBe(200);
  });

  it("have a limit separate from the known network's", async () => {
    const email = await atHome();
    expect(await statusesOf(email, Array<string>(10).fill(HOME))).toEqual(Array(10).fill(400));
    expect((await guess(email, HOME, PASSWORD)).status).toBe(429);
    expect((await guess(email, '198.51.100.5', PASSWORD)).status).toBe(200);
  });

  it('include those from a network without a sign-in or refresh for 90 days', async () => {
    const email = await atHome();
    const age = () =>
      proxied.database.owner.query(
        `update auth.known_networks set seen_at = now() - interval '91 days'
         where user_id = (select id from auth.users where email = $1)`,
        [email],
      );
    const session = await fetch(passwordUrl(proxied.url), {
      method: 'POST',
      headers: { 'x-forwarded-for': HOME },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const { refresh_token } = (await session.json()) as { refresh_token: string };
    await age();
    const networks = Array.from({ length: 12 }, (_, n) => `198.51.100.${n}`);
    expect(await statusesOf(email, networks)).toEqual(Array(12).fill(400));
    expect((await guess(email, HOME, PASSWORD)).status).toBe(429);
    const refresh = `${proxied.url}/auth/v1/token?grant_type=refresh_token`;
    expect((await post(refresh, { refresh_token }, HOME)).status).toBe(200);
    expect((await guess(email, HOME, PASSWORD)).status).toBe(200);
  });

  it("and wrong codes don't use up the owner's attempts for a code", async () => {
    const email = await atHome();
    const verify = (token: string, address: string) =>
      post(`${proxied.url}/auth/v1/verify`, { type: 'recovery', email, token }, address);
    await post(`${proxied.url}/auth/v1/recover`, { email }, HOME);
    // The other mail is the notice about the new device.
    await newestLetter(proxied.context.config.dataDir, email, 2);
    const mine = (await letters(proxied.context.config.dataDir)).filter(({ to }) => to === email);
    const code = mine.map((letter) => letter.code).find((digits) => digits !== '') ?? '';
    const wrong = code === '000000' ? '000001' : '000000';
    for (let n = 1; n <= 10; n += 1) {
      expect((await verify(wrong, `198.51.100.${n}`)).status).toBe(403);
    }
    expect((await verify(code, '198.51.100.200')).status).toBe(429);
    expect((await verify(code, HOME)).status).toBe(200);
  });
});

describe('the rate limit per client address', () => {
  it('counts sign-ins and sign-ups together, and does not affect another address', async () => {
    const email = () => `${crypto.randomUUID()}@test.example`;
    const network = (host: number): string => `2001:db8:1:2:${host}::1`;
    for (let n = 1; n <= 5; n += 1) {
      const path = n % 2 === 0 ? '/auth/v1/signup' : '/auth/v1/token?grant_type=password';
      const body = { email: email(), password: PASSWORD };
      // One IPv6 customer can send from a whole /64.
      expect((await post(`${strict.url}${path}`, body, network(n))).status).not.toBe(429);
    }
    const refused = await post(
      `${strict.url}/auth/v1/signup`,
      { email: email(), password: PASSWORD },
      network(9),
    );
    expect(refused).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
    expect(refused.retryAfter).toBeGreaterThan(200);
    const neighbour = await post(
      `${strict.url}/auth/v1/signup`,
      { email: email(), password: PASSWORD },
      '2001:db8:1:3::1',
    );
    expect(neighbour.status).toBe(200);
  });

  it('covers sign-ins with an external provider', async () => {
    const attempt = () =>
      fetch(`${strict.url}/auth/v1/authorize?provider=club`, {
        headers: { 'x-forwarded-for': '198.51.100.20' },
        redirect: 'manual',
      });
    for (let n = 1; n <= 5; n += 1) expect((await attempt()).status).toBe(302);
    const refused = await attempt();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(200);
  });

  it('uses the address seen by the trusted proxy, whatever the client claims', async () => {
    const attempt = (n: number) =>
      post(
        passwordUrl(strict.url),
        { email: `${crypto.randomUUID()}@test.example`, password: PASSWORD },
        `198.51.100.${n}, 203.0.113.50`,
      );
    for (let n = 1; n <= 5; n += 1) expect((await attempt(n)).status).toBe(400);
    expect((await attempt(6)).status).toBe(429);
  });

  it('covers refreshes', async () => {
    const { client } = await strict.signedUp();
    const { data } = await client.auth.getSession();
    const refresh = (address: string) =>
      post(
        `${strict.url}/auth/v1/token?grant_type=refresh_token`,
        { refresh_token: data.session?.refresh_token },
        address,
      );
    for (let n = 1; n <= 4; n += 1) expect((await refresh('198.51.100.7')).status).toBe(200);
    expect((await refresh('198.51.100.7')).status).toBe(429);
    expect((await refresh('198.51.100.8')).status).toBe(200);
  });
});
