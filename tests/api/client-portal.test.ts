// The portal of clients: an invitation makes an account, its link signs in, and the session reaches the own client only.
import { FunctionsHttpError, type SupabaseClient } from '@supabase/supabase-js';
import { letters, newestLetter } from 'supabase-in-node/testing/mailbox';
import { describe, expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();
const { owner } = server.database;
const { dataDir } = server.context.config;
const someone = (): string => `${crypto.randomUUID()}@client.example`;

async function personWith(role: string): Promise<{ client: SupabaseClient; id: string }> {
  const person = await server.signedUp();
  await owner.query('insert into user_roles (user_id, role) values ($1, $2)', [person.id, role]);
  return person;
}
const manager = await personWith('ops_manager');
const finance = await personWith('finance');

/** A client with a site. @returns ids of both */
async function newClient(name: string) {
  const { rows } = await owner.query<{ client: string; site: string }>(
    `with added as (
       insert into clients (name, number_of_guards, monthly_rate, location) values ($1, 2, 800, 'Sinkor') returning id
     )
     insert into sites (name, client_name, client_id, address) select $1 || ' gate', $1, id, 'Sinkor' from added
     returning client_id as client, id as site`,
    [name],
  );
  const [made] = rows;
  if (made === undefined) throw new Error('No client was made.');
  return made;
}
const embassy = await newClient('Embassy');
const bank = await newClient('Bank');

/** @returns status and body, also of an error */
async function call(
  client: SupabaseClient,
  name: string,
  body: Record<string, unknown>,
): Promise<[number, Record<string, unknown>]> {
  const { data, error } = await client.functions.invoke(name, {
    body,
    headers: { origin: server.url },
  });
  if (error === null) return [200, data];
  if (!(error instanceof FunctionsHttpError)) throw error;
  return [error.context.status, await error.context.json()];
}

const lettersTo = async (email: string) =>
  (await letters(dataDir)).filter(({ to }) => to === email);

const invitation = (email = someone(), client_id = embassy.client) => ({
  client_id,
  email,
  full_name: 'Esther Whitfield',
});

/** Opens the newest link of the address, as the contact's browser does. */
async function signedIn(email: string): Promise<SupabaseClient> {
  const { link } = await newestLetter(dataDir, email);
  const landing = await fetch(link, { redirect: 'manual' });
  const address = new URL(landing.headers.get('location') ?? '');
  expect(`${address.origin}${address.pathname}`).toBe(`${server.url}/client`);
  const found = new URLSearchParams(address.hash.slice(1));
  const client = server.client();
  const { error } = await client.auth.setSession({
    access_token: found.get('access_token') ?? '',
    refresh_token: found.get('refresh_token') ?? '',
  });
  expect(error).toBeNull();
  return client;
}

const sitesOf = async (client: SupabaseClient): Promise<unknown> =>
  (await client.rpc('client_now')).data?.map((row: { site_name: string }) => row.site_name);

describe('an invited contact', () => {
  it('signs in by the link, sees the own sites, and reads no table', async () => {
    const email = someone();
    const [status, answer] = await call(manager.client, 'invite-client', invitation(email));
    expect([status, answer]).toEqual([200, { contact_id: expect.any(String), mailed: true }]);
    const contact = await signedIn(email);
    expect(await sitesOf(contact)).toEqual(['Embassy gate']);
    expect((await contact.from('sites').select('id')).data).toEqual([]);
    expect((await contact.from('clients').select('id')).data).toEqual([]);
    expect((await contact.from('client_contacts').select('email')).data).toEqual([{ email }]);
  });

  it('of a second client keeps the account and sees both', async () => {
    const email = someone();
    await call(manager.client, 'invite-client', invitation(email));
    await call(manager.client, 'invite-client', invitation(email, bank.client));
    expect(await sitesOf(await signedIn(email))).toEqual(['Bank gate', 'Embassy gate']);
  });

  it('gets another link from the office, and asks for one at the portal', async () => {
    const email = someone();
    const [, { contact_id }] = await call(manager.client, 'invite-client', invitation(email));
    const before = (await lettersTo(email)).length;
    // A mail of the same kind is sent at most once a second.
    const again = async () => (await call(manager.client, 'invite-client', { contact_id }))[0];
    await expect.poll(again).toBe(200);
    expect(await lettersTo(email)).toHaveLength(before + 1);
    const asked = async () => {
      const answer = await call(server.client(), 'client-link', { email: email.toUpperCase() });
      expect(answer).toEqual([200, {}]);
      return (await lettersTo(email)).length;
    };
    await expect.poll(asked, { interval: 400 }).toBe(before + 2);
  });

  it('whose access a manager ends loses the session at once, and gets no more links', async () => {
    const email = someone();
    const [, { contact_id }] = await call(manager.client, 'invite-client', invitation(email));
    const contact = await signedIn(email);
    const { error } = await manager.client.rpc('revoke_client_access', {
      p_contact_id: contact_id,
    });
    expect(error).toBeNull();
    expect(await sitesOf(contact)).toEqual([]);
    expect((await contact.auth.getUser()).error).not.toBeNull();
    const before = (await lettersTo(email)).length;
    expect(await call(server.client(), 'client-link', { email })).toEqual([200, {}]);
    expect(await call(manager.client, 'invite-client', { contact_id })).toMatchObject([404, {}]);
    expect(await lettersTo(email)).toHaveLength(before);
  });
});

it('an answer of the office is mailed to the contact who asked, once', async () => {
  const email = someone();
  await call(manager.client, 'invite-client', invitation(email));
  const contact = await signedIn(email);
  const id = crypto.randomUUID();
  const { error } = await contact.rpc('send_client_request', {
    p_id: id,
    p_client_id: embassy.client,
    p_body: 'The lamp at the\ngate is broken.',
  });
  expect(error).toBeNull();
  const answer = (text: string) =>
    manager.client.rpc('answer_client_request', { p_id: id, p_answer: text });
  expect((await answer('An electrician\ncomes today.')).error).toBeNull();
  expect((await answer('Another one.')).error).not.toBeNull();
  const answers = async () =>
    (await lettersTo(email)).filter(({ subject }) => subject.startsWith('Answer to your message'));
  await expect.poll(answers).toHaveLength(1);
  const [mail] = await answers();
  expect(mail?.text).toContain('An electrician');
  expect(mail?.text).toContain('You wrote: The lamp at the gate is broken.');
  expect(mail?.text).toContain(`${server.url}/client/write`);
});

describe('an invitation is refused', () => {
  it('to the address of someone who works for the company', async () => {
    const { email } = await server.signedUp();
    expect(await call(manager.client, 'invite-client', invitation(email))).toMatchObject([
      409,
      { code: 'email_exists' },
    ]);
  });

  it('twice at one client, and from anyone but managers', async () => {
    const email = someone();
    await call(manager.client, 'invite-client', invitation(email));
    expect(await call(manager.client, 'invite-client', invitation(email))).toMatchObject([409, {}]);
    expect(await call(finance.client, 'invite-client', invitation())).toMatchObject([403, {}]);
    expect(await call(server.client(), 'invite-client', invitation())).toMatchObject([401, {}]);
    expect(await call(await signedIn(email), 'invite-client', invitation())).toMatchObject([
      403,
      {},
    ]);
  });

  it.each([
    [{ email: 'no address' }, 'Invalid email address'],
    [{ full_name: ' ' }, 'Full name is required'],
    [{ client_id: 'x' }, 'Choose a client'],
    [{ access_until: 'soon' }, 'Enter a date'],
  ])('with %j', async (change, message) => {
    const answer = await call(manager.client, 'invite-client', { ...invitation(), ...change });
    expect(answer).toEqual([400, { code: 'validation_failed', message }]);
  });
});

it('the answer to an unknown address is the same, and no mail goes to one of the staff', async () => {
  const { email } = await server.signedUp();
  const before = (await lettersTo(email)).length;
  for (const address of [email, someone()]) {
    expect(await call(server.client(), 'client-link', { email: address })).toEqual([200, {}]);
  }
  expect(await lettersTo(email)).toHaveLength(before);
});
