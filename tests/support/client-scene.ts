// The client of each site of the small company, with its contacts.
import { contactElsewhere, contactHere, formerContact, type SiteKey } from './people.ts';
import type { SceneBase } from './scene-rows.ts';

/** @returns the client */
export async function addClient(base: SceneBase, site: SiteKey): Promise<string> {
  const { sites, one, insert } = base;
  const client = await insert(
    'clients',
    `(name, number_of_guards, monthly_rate, location) values ('Client of ' || $1::text, 2, 500, 'Sinkor')`,
    [site],
    { client: site, inUse: true },
  );
  await one('update sites set client_id = $2 where id = $1 returning id', [sites[site], client]);
  await insert(
    'post_pages',
    `(site_id, client_id, day, version, lines, facts, withheld_kinds) values ($1, $2, '2026-01-01', 1, '[]', '{}', '{}')`,
    [sites[site], client],
    { site },
  );
  await insert(
    'withheld_lines',
    `(site_id, source, line_id) values ($1, 'entry', gen_random_uuid())`,
    [sites[site]],
    { site },
  );
  const contact = site === 'here' ? contactHere : contactElsewhere;
  const columns = '(client_id, full_name, email, user_id, revoked_at)';
  for (const [name, address, user, revokedAt] of [
    [contact.name, contact.claims?.email, contact.id, null],
    ['Contact without an account', `new@${site}.example`, null, null],
    ...(site === 'here'
      ? [[formerContact.name, formerContact.claims?.email, formerContact.id, new Date()]]
      : []),
  ]) {
    const id = await insert(
      'client_contacts',
      `${columns} values ($1, $2, $3, $4, $5)`,
      [client, name, address, user, revokedAt],
      { client: site, ...(typeof user === 'string' && { owner: user }) },
    );
    await insert(
      'client_requests',
      `(client_id, contact_id, kind, body) values ($1, $2, 'message', 'The gate is open.')`,
      [client, id],
      { client: site },
    );
  }
  return client;
}
