// The contact form posted without JavaScript, and the enquiry email to the company.
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { SMTPServer } from 'smtp-server';
import { cleanUp } from 'supabase-in-node/testing/clean-up';
import { newestLetter, readLetter } from 'supabase-in-node/testing/mailbox';
import { projectWith } from 'supabase-in-node/testing/project';
import type { TestServer } from 'supabase-in-node/testing/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { company } from '#company';
import { testServer } from '#tests/support/server.ts';
import build from '../start/build.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');

let server: TestServer;

beforeAll(async () => {
  build();
  server = await testServer({ PROJECT_DIR: await projectWith({ per_hour: 4 }, '', ROOT) });
}, 120_000);

const form = {
  name: 'Ama Kollie',
  email: 'ama@visitor.example',
  company: 'Kollie Shipping',
  message: 'We need two guards\r\nat our warehouse.',
  website: '',
};

function post(fields: Partial<typeof form> = {}, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/contact`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ ...form, ...fields }),
  });
}

async function stored(message: string) {
  const { rows } = await server.database.owner.query(
    'select name, email, company, message, state from contact_messages where message like $1',
    [`%${message}%`],
  );
  return rows;
}

describe('a posted form', () => {
  it('is stored once, even if the page is reloaded, and emailed to the company', async () => {
    const answer = await post();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const page = await answer.text();
    expect(page).toContain('Message Sent');
    expect(page).toContain('Thank you for contacting us. We&#x27;ll get back to you soon.');
    expect((await post()).status).toBe(200);
    const row = { ...form, message: 'We need two guards\nat our warehouse.', state: 'new' };
    const { website: _, ...expected } = row;
    expect(await stored('two guards')).toEqual([expected]);

    const letter = await newestLetter(server.context.config.dataDir, company.email);
    expect(letter.subject).toBe('Enquiry from Ama Kollie (Kollie Shipping)');
    expect(letter.replyTo).toBe('ama@visitor.example');
    expect(letter.text).toContain('at our warehouse.');
    expect(letter.link).toMatch(/\/admin\/enquiries\?open=[0-9a-f-]{36}$/);
    const queue = () => server.database.owner.query('select from private.enquiry_mails');
    await expect.poll(queue).toMatchObject({ rowCount: 0 });
  });

  it('is shown again with its values and the same messages as with JavaScript', async () => {
    const typed = { name: 'A', email: 'nobody"><script>alert(1)</script>', message: 'Too short' };
    const answer = await post(typed);
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toContain('Validation Error');
    expect(page.match(/Name must be at least 2 characters/g)).toHaveLength(2);
    expect(page).toContain('Invalid email address');
    expect(page).toContain('Message must be at least 10 characters');
    expect(page).toContain('value="nobody&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
    expect(page).toContain('value="Kollie Shipping"');
    expect(page).toContain('>Too short</textarea>');
    expect(await stored('Too short')).toEqual([]);
  });

  it.each([
    ['a line end counts as one character', { message: `${'M'.repeat(1999)}\r\n` }, 200],
    ['2001 characters are too many', { message: 'M'.repeat(2001) }, 422],
    ['a filled honeypot looks like success', { website: 'x', message: 'Buy our pills!' }, 200],
  ])('%s', async (_, fields, status) => {
    expect((await post(fields)).status).toBe(status);
    expect(await stored('Buy our pills')).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another origin', { origin: 'https://elsewhere.example' }],
    ['without an origin', { origin: 'null' }],
  ])('from a page %s is rejected', async (_, headers) => {
    const answer = await post({ message: 'Sent from elsewhere' }, headers);
    expect(answer.status).toBe(403);
    expect(await stored('Sent from elsewhere')).toEqual([]);
  });

  it("that can't be stored is shown again with the specified message", async () => {
    const { owner } = server.database;
    await owner.query(
      `alter table contact_messages add constraint broken check (message not like 'Broken%')`,
    );
    const answer = await post({ message: 'Broken on purpose.' });
    await owner.query('alter table contact_messages drop constraint broken');
    expect(answer.status).toBe(500);
    const page = await answer.text();
    expect(page).toContain('<p>Failed to send message. Please try again.</p>');
    expect(page).toContain('Broken on purpose.');
  });

  it('with another media type or a body over the limit is rejected', async () => {
    const json = await fetch(`${server.url}/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(form),
    });
    expect(json.status).toBe(415);
    expect((await post({ message: 'M'.repeat(70_000) })).status).toBe(413);
  });
});

describe('the rate limit of a client address', () => {
  it('sends Retry-After for the form and the API, and ignores addresses set by the client', async () => {
    await server.database.owner.query(
      `delete from private.enquiry_arrivals;
       insert into private.enquiry_arrivals (network) select '127.0.0.1' from generate_series(1, 4)`,
    );
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const answer = await post({ message: 'One too many, sir.' }, headers);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3500);
    const page = await answer.text();
    expect(page).toContain('You have sent many messages in a short time.');
    expect(page).toContain('One too many, sir.');

    const { error, status } = await server
      .client()
      .from('contact_messages')
      .insert({ name: 'Ama', email: 'a@x.example', message: 'One too many, sir.' })
      .setHeader('x-forwarded-for', '203.0.113.7');
    expect(status).toBe(429);
    expect(error?.message).toMatch(/^You have sent many messages .* try again in 60 minutes\.$/);
    expect(await stored('One too many')).toEqual([]);
  });
});

describe('an unavailable mail server', () => {
  it('does not delay an enquiry, the mail is sent later, and input adds no header', async () => {
    const received: string[] = [];
    let down = true;
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onMailFrom: (_address, _session, done) =>
        done(down ? new Error('Not in the mood.') : undefined),
      onData: (stream, _session, done) => {
        let mail = '';
        stream.on('data', (part: Buffer) => (mail += part.toString()));
        stream.on('end', () => {
          received.push(mail);
          done();
        });
      },
    });
    await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
    cleanUp(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
    const { port } = smtp.server.address() as AddressInfo;
    const other = await testServer({ SMTP_URL: `smtp://127.0.0.1:${port}`, LOG_LEVEL: 'silent' });
    const { error } = await other.client().from('contact_messages').insert({
      name: 'Ama\r\nBcc: everyone@x.example',
      email: 'ama@visitor.example',
      message: 'Please call me back today.',
    });
    expect(error).toBeNull();
    const queue = () =>
      other.database.owner.query('select attempts, last_error from private.enquiry_mails');
    await expect.poll(async () => (await queue()).rows[0]?.last_error).toBeTruthy();
    down = false;
    await other.database.owner.query('update private.enquiry_mails set next_at = now()');
    await expect.poll(() => received).toHaveLength(1);
    const [raw = ''] = received;
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/im);
    const letter = await readLetter(raw);
    expect(letter.to).toBe(company.email);
    expect(letter.replyTo).toBe('ama@visitor.example');
    await expect.poll(async () => (await queue()).rows).toHaveLength(0);
  });
});
