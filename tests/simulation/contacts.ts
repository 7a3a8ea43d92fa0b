// Contacts of clients: the office invites one of each, who opens the portal by the link of the mail.
import { setTimeout as pause } from 'node:timers/promises';
import { letters } from 'supabase-in-node/testing/mailbox';
import { addDays, instantOf } from './clock.ts';
import type { Client } from './door.ts';
import type { World } from './world.ts';

const POLL_MS = 20;
/** Of the machine's time. */
const LIMIT_MS = 20_000;

/** @returns the link of the mail, which is sent after the answer */
async function linkTo({ product }: World, email: string): Promise<string> {
  const until = performance.now() + LIMIT_MS;
  for (;;) {
    const mails = await letters(product.options.dataDir);
    const link = mails.findLast(({ to }) => to === email)?.link;
    if (link !== undefined) return link;
    if (performance.now() > until) throw new Error(`Nothing was mailed to ${email}.`);
    await pause(POLL_MS);
  }
}

async function open({ door }: World, link: string): Promise<Client> {
  const landing = await fetch(link, { redirect: 'manual' });
  const found = new URLSearchParams(
    new URL(landing.headers.get('location') ?? '').hash.slice('#'.length),
  );
  const client = door.client();
  const { error } = await client.auth.setSession({
    access_token: found.get('access_token') ?? '',
    refresh_token: found.get('refresh_token') ?? '',
  });
  if (error) throw error;
  return client;
}

async function invite(world: World): Promise<string> {
  const { company, contacts } = world;
  const clients = new Set(company.sites.map(({ clientId }) => clientId));
  const told: string[] = [];
  for (const client_id of clients) {
    if (contacts.has(client_id)) continue;
    const email = `contact-${contacts.size + 1}@client.example`;
    const { error } = await company.operations.client.functions.invoke('invite-client', {
      body: { client_id, email, full_name: 'Esther Whitfield' },
      headers: { origin: world.product.url },
    });
    if (error) throw error;
    contacts.set(client_id, await open(world, await linkTo(world, email)));
    told.push(email);
  }
  return told.join(', ') || 'all are known';
}

export function planContacts(world: World, day: string): void {
  const { agenda, company } = world;
  if (day > addDays(company.opensOn, 1))
    agenda.add(instantOf(day, '08:50'), 'operations invites contacts of new clients', () =>
      invite(world),
    );
}
