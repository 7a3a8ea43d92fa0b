import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { letters, newestLetter } from '#tests/support/mailbox.ts';
import { projectWith } from '#tests/support/project.ts';
import { testServer } from '#tests/support/server.ts';

const server = await testServer({
  LOG_LEVEL: 'fatal',
  PROJECT_DIR: await projectWith({ max_frequency: '"0s"' }),
});
const someone = (): string => `${crypto.randomUUID()}@test.example`;
const mailTo = (to: string, count = 1) => newestLetter(server.context.config.dataDir, to, count);
const follow = (link: string) => fetch(link, { redirect: 'manual' });

function landing(response: Response): { url: URL; fragment: Record<string, string> } {
  expect(response.status).toBe(303);
  const url = new URL(response.headers.get('location') ?? '');
  return { url, fragment: Object.fromEntries(new URLSearchParams(url.hash.slice(1))) };
}

describe('a forgotten password', () => {
  it('is replaced by following the link, which works once', async () => {
    const { email, id } = await server.signedUp();
    const { error } = await server.client().auth.resetPasswordForEmail(email, {
      redirectTo: `${server.url}/auth?set-password`,
    });
    expect(error).toBeNull();
    const letter = await mailTo(email);
    expect(letter.subject).toBe('Reset your Example password');
    expect(letter.html).toContain('Example Company');

    const { url, fragment } = landing(await follow(letter.link));
    expect(`${url.pathname}${url.search}`).toBe('/auth?set-password');
    expect(fragment).toMatchObject({ type: 'recovery', token_type: 'bearer', expires_in: '3600' });
    const client = server.client();
    await client.auth.setSession({
      access_token: fragment.access_token ?? '',
      refresh_token: fragment.refresh_token ?? '',
    });
    const changed = await client.auth.updateUser({ password: 'another-horse-8' });
    expect(changed.data.user?.id).toBe(id);
    const back = await server
      .client()
      .auth.signInWithPassword({ email, password: 'another-horse-8' });
    expect(back.error).toBeNull();

    const again = landing(await follow(letter.link));
    expect(again.fragment).toEqual({
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
      sb: '',
    });
  });

  it('gets the same response for an unknown address, which gets no email', async () => {
    const email = someone();
    expect((await server.client().auth.resetPasswordForEmail(email)).error).toBeNull();
    const { email: known } = await server.signedUp();
    await server.client().auth.resetPasswordForEmail(known);
    await mailTo(known);
    const all = await letters(server.context.config.dataDir);
    expect(all.filter((letter) => letter.to === email)).toEqual([]);
  });

  it('gets its email even if the client disconnects after the response', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => server.signedUp()));
    for (const { email } of people) {
      const asked = request(`${server.url}/auth/v1/recover`, { method: 'POST', agent: false });
      asked.end(JSON.stringify({ email }));
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
      answer.resume();
      await once(answer, 'close');
    }
    for (const { email } of people) expect((await mailTo(email)).link).toContain('type=recovery');
  });

  it('gives a session to only one of many concurrent clicks on the link', async () => {
    const { email } = await server.signedUp();
    await server.client().auth.resetPasswordForEmail(email);
    const { link } = await mailTo(email);
    const landings = await Promise.all(
      Array.from({ length: 6 }, async () => landing(await follow(link))),
    );
    expect(landings.filter(({ fragment }) => fragment.access_token)).toHaveLength(1);
  });

  it('can be replaced with the code too, until that expires', async () => {
    const { email, id } = await server.signedUp();
    const verify = (token: string) =>
      server.client().auth.verifyOtp({ email, token, type: 'recovery' });
    await server.client().auth.resetPasswordForEmail(email);
    const first = await mailTo(email);
    await server.client().auth.resetPasswordForEmail(email);
    const second = await mailTo(email, 2);
    expect((await verify(first.code)).error).toMatchObject({
      status: 403,
      code: 'otp_expired',
      message: 'Token has expired or is invalid',
    });
    await server.database.owner.query(
      `update auth.one_time_tokens set created_at = created_at - interval '61 minutes' where user_id = $1`,
      [id],
    );
    expect((await verify(second.code)).error).toMatchObject({ code: 'otp_expired' });
    await server.client().auth.resetPasswordForEmail(email);
    const third = await mailTo(email, 3);
    expect((await verify(third.code)).data.session?.user.id).toBe(id);
  });

  it("can't be reset by guessing: after ten wrong codes even the right one is rejected", async () => {
    const { email } = await server.signedUp();
    await server.client().auth.resetPasswordForEmail(email);
    const { code } = await mailTo(email);
    const wrong = code === '000000' ? '000001' : '000000';
    const verify = (token: string) =>
      server.client().auth.verifyOtp({ email, token, type: 'recovery' });
    for (let n = 1; n <= 10; n += 1) expect((await verify(wrong)).error?.status).toBe(403);
    expect((await verify(code)).error).toMatchObject({ status: 429 });
  });
});

describe('the redirect of a link', () => {
  it.each([
    ['elsewhere', 'https://elsewhere.example/'],
    ['a host that begins with ours', 'http://127.0.0.1.elsewhere.example/'],
    ['credentials that look like our host', 'http://127.0.0.1@elsewhere.example/'],
    ['a script URL', 'javascript:alert(1)'],
    ['nothing', ''],
  ])('goes to the site instead of %s', async (_what, redirectTo) => {
    const { email } = await server.signedUp();
    await server.client().auth.resetPasswordForEmail(email, { redirectTo });
    const { link } = await mailTo(email);
    const changed = new URL(link);
    changed.searchParams.set('redirect_to', redirectTo);
    expect(landing(await follow(changed.href)).url.origin).toBe(server.url);
  });
});
