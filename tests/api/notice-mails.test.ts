// Mails to the owner of an account about what a database function changed.
import { generate } from 'otplib';
import { readLetter } from 'supabase-in-node/testing/mailbox';
import { PASSWORD } from 'supabase-in-node/testing/server';
import { smtpServer } from 'supabase-in-node/testing/smtp';
import { expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const smtp = await smtpServer();
const server = await testServer({ SMTP_URL: smtp.url, MAIL_FROM: 'desk@test.example' });
const nextMail = async () => readLetter(await smtp.mails.next());

it('a used recovery code is reported by email, a wrong one is not', async () => {
  const { client, email } = await server.signedUp();
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' });
  if (data?.type !== 'totp') throw new Error('No factor.');
  const code = await generate({ secret: data.totp.secret });
  await client.auth.mfa.challengeAndVerify({ factorId: data.id, code });
  expect(await nextMail()).toMatchObject({ subject: 'Two-step sign-in was set up (Statesman)' });
  const { data: codes } = await client.rpc('create_recovery_codes').throwOnError();

  const other = server.client();
  await other.auth.signInWithPassword({ email, password: PASSWORD });
  const spend = (typed: string) => other.rpc('use_recovery_code', { code: typed });
  expect((await spend('0000-0000-0000-0000')).data).toBe('wrong');
  expect((await spend(codes[0])).data).toBe('accepted');
  const letter = await nextMail();
  expect(letter).toMatchObject({
    to: email,
    subject: 'A recovery code was used (Statesman)',
    link: `${server.url}/account`,
  });
  expect(letter.text).toContain('removed the second step from your account');
  expect(letter.text).toMatch(/Device: An unknown program\. Address: (127\.0\.0\.1|::1)\./);
  expect(letter.html).toContain('call');
  const queue = () => server.database.owner.query('select from auth.notices');
  await expect.poll(queue).toMatchObject({ rowCount: 0 });
  // The next email is the one requested now: no other was sent.
  await server.client().auth.signInWithOtp({ email });
  expect(await nextMail()).toMatchObject({ subject: 'Your sign-in link for Statesman' });
});

it('an address that an administrator replaces gets a mail', async () => {
  const { client, id, email: own } = await server.signedUp();
  await server.database.owner.query(`insert into user_roles (user_id, role) values ($1, 'admin')`, [
    id,
  ]);
  const guard = await server.signedUp();
  const edit = (name: string, email: string) =>
    client
      .rpc('edit_person', { p_user_id: guard.id, p_full_name: name, p_email: email })
      .throwOnError();
  // Another name is no other address.
  await edit('Moses Kollie', guard.email);
  await edit('Moses Kollie', `${crypto.randomUUID()}@test.example`);
  expect(await nextMail()).toMatchObject({
    to: guard.email,
    subject: 'Your e-mail address was changed (Statesman)',
  });
  // The next email is the one requested now: the new address got none.
  await server.client().auth.signInWithOtp({ email: own });
  expect(await nextMail()).toMatchObject({
    to: own,
    subject: 'Your sign-in link for Statesman',
  });
});
