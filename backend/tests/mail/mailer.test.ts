import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { layOut } from '#backend/mail/layout.ts';
import { openMailer } from '#backend/mail/mailer.ts';
import { letters, readLetter } from '#tests/support/mailbox.ts';
import { ORGANISATION } from '#tests/support/server.ts';
import { smtpServer } from '#tests/support/smtp.ts';

const smtp = await smtpServer();
const dataDir = await mkdtemp(path.join(tmpdir(), 'test-mail-'));
afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const letter = layOut(
  'musu@test.example',
  {
    subject: 'Grüße\r\nBcc: everyone@test.example',
    heading: '<script>alert(1)</script>',
    paragraphs: ['A & B'],
    button: { label: 'Go', link: 'https://test.example/?a=1&b="2"' },
    closing: 'Bye.',
  },
  ORGANISATION,
);

it('the mailer sends through SMTP; a line break in a subject adds no header, and markup in text is escaped', async () => {
  const mailer = openMailer(
    {
      smtpUrl: smtp.url,
      mailFrom: 'desk@test.example',
      dataDir,
    },
    ORGANISATION,
  );
  expect(await mailer.send(letter)).toEqual({});
  const raw = await smtp.mails.next();
  const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
  expect(headers).toMatch(/^From: desk@test.example\r$/m);
  expect(headers).not.toMatch(/^Bcc:/im);
  const read = await readLetter(raw);
  expect(read.to).toBe('musu@test.example');
  expect(read.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(read.html).toContain('href="https://test.example/?a=1&amp;b=&quot;2&quot;"');
  expect(read.text).toContain('A & B');
});

it('the mailer writes to the outbox without SMTP_URL, readable by its owner only', async () => {
  const mailer = openMailer({ smtpUrl: undefined, mailFrom: undefined, dataDir }, ORGANISATION);
  const { file } = await mailer.send(letter);
  expect(await readdir(path.join(dataDir, 'outbox'))).toEqual([path.basename(file ?? '')]);
  expect((await stat(file ?? '')).mode & 0o777).toBe(0o600);
  expect(await letters(dataDir)).toEqual([expect.objectContaining({ to: 'musu@test.example' })]);
});
