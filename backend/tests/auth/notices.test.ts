// Security notices to the account owner, through a real SMTP server.
import { generate } from 'otplib';
import { describe, expect, it } from 'vitest';
import { type Letter, readLetter } from '#tests/support/mailbox.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';
import { smtpServer } from '#tests/support/smtp.ts';

const smtp = await smtpServer();
const server = await testServer({
  SMTP_URL: smtp.url,
  MAIL_FROM: 'desk@test.example',
  TRUST_PROXY: 'on',
});
const nextMail = async (): Promise<Letter> => readLetter(await smtp.mails.next());

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';

async function signIn(email: string, userAgent: string, address = '203.0.113.7'): Promise<void> {
  const response = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'user-agent': userAgent, 'x-forwarded-for': address },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  expect(response.status).toBe(200);
  await response.json();
}

/** Asserts that no further mail was sent: the next one to arrive is the one requested here. */
async function expectQuiet(email: string): Promise<void> {
  await server.client().auth.signInWithOtp({ email });
  expect(await nextMail()).toMatchObject({ subject: 'Your sign-in link for Example' });
}

describe('a sign-in', () => {
  it('on a new device is reported to the owner once', async () => {
    const { email } = await server.signedUp();
    await signIn(email, CHROME);
    const letter = await nextMail();
    expect(letter).toMatchObject({
      to: email,
      subject: 'New sign-in to your account (Example)',
      link: `${server.url}/account`,
    });
    expect(letter.text).toContain('Device: Chrome on Windows. Address: 203.0.113.7.');
    // Times are formatted as in the app.
    expect(letter.text).toMatch(/ at \d{1,2}:\d{2} [AP]M/);
    expect(letter.html).toContain('Chrome on Windows');
    await signIn(email, CHROME);
    // The same browser a day later, after an update and with another address in the same network.
    await signIn(email, CHROME.replace('130.0.0.0', '131.0.1.7'), '203.0.200.9');
    await expectQuiet(email);
  });

  it("is reported without the text of the browser's user agent", async () => {
    const { email } = await server.signedUp();
    await signIn(email, '<b>Call 0900 now</b> https://elsewhere.example');
    const letter = await nextMail();
    expect(letter.text).toContain('Device: An unknown program.');
    expect(`${letter.text}${letter.html}`).not.toMatch(/elsewhere|0900/);
  });

  it('on the first device of an account is not reported', async () => {
    const { email } = await server.signedUp();
    await expectQuiet(email);
  });
});

describe('a change of password or second factor', () => {
  it('is reported: password changed, factor enrolled, factor removed', async () => {
    const { client, email, id } = await server.signedUp();
    await client.auth.updateUser({ password: 'another-horse-8' });
    expect(await nextMail()).toMatchObject({
      to: email,
      subject: 'Your password was changed (Example)',
    });
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
    if (data?.type !== 'totp') throw new Error('No factor.');
    const code = await generate({ secret: data.totp.secret });
    await client.auth.mfa.challengeAndVerify({ factorId: data.id, code });
    expect(await nextMail()).toMatchObject({ subject: 'Two-step sign-in was set up (Example)' });
    await client.auth.mfa.unenroll({ factorId: data.id });
    expect(await nextMail()).toMatchObject({ subject: 'A second step was removed (Example)' });

    const { admin } = server.client(server.context.keys.serviceKey).auth;
    await admin.updateUserById(id, { password: 'temporary-horse-1' });
    expect(await nextMail()).toMatchObject({
      to: email,
      subject: 'Your password was set by an administrator (Example)',
    });
    const moved = `${crypto.randomUUID()}@test.example`;
    await admin.updateUserById(id, { email: moved });
    expect(await nextMail()).toMatchObject({
      to: email,
      subject: 'Your e-mail address was changed (Example)',
    });
  });

  it('that is rejected is not reported', async () => {
    const { client, email } = await server.signedUp();
    expect((await client.auth.updateUser({ password: 'qwertyuiop' })).error).not.toBeNull();
    await expectQuiet(email);
  });
});

it('a mail has one recipient, whatever is in the names beside the address', async () => {
  const email = `${crypto.randomUUID()}@test.example`;
  const names = [
    'a\r\nBcc: everyone@test.example',
    '"<x@test.example>,"',
    '<script>alert(1)</script>',
  ];
  for (const [n, full_name] of names.entries()) {
    const to = `${n}${email}`;
    await server.client().auth.signInWithOtp({ email: to, options: { data: { full_name } } });
    const raw = await smtp.mails.next();
    const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
    expect(headers).not.toMatch(/^Bcc:/im);
    expect((await readLetter(raw)).to).toBe(to);
    expect(raw).not.toContain('<script>');
  }
});
