// What a guard's report may carry besides the specified fields, and who decides what reports ask.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { guardHere, opsManager } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const REPORT = `insert into incidents (site_id, raised_by_user_id, title, category, severity, description, happened_at, witnesses)
  values ($1, $2, 'Gate forced', 'security', 'high', 'The gate of the yard was forced at night.',
    now() + make_interval(hours => $3), $4)
  returning happened_at - now() as from_now, witnesses`;

test('a report says when it happened and who saw it', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, guardHere);
    const report = [scene.sites.here, guardHere.id, -3, '  Ma Hawa, 0770 123 456 '];
    expect((await client.query(REPORT, report)).rows).toMatchObject([
      { from_now: { hours: -3 }, witnesses: 'Ma Hawa, 0770 123 456' },
    ]);
  });
});

test('it is not refused because its phone’s clock is ahead', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, guardHere);
    const report = [scene.sites.here, guardHere.id, 2, null];
    expect((await client.query(REPORT, report)).rows).toEqual([
      { from_now: null, witnesses: null },
    ]);
  });
});

test('witnesses are for the company: the letter to the client doesn’t have them', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, guardHere);
    const report = [scene.sites.here, guardHere.id, -1, 'Ma Hawa, 0770 123 456'];
    await client.query(REPORT, report);
    await become(client, opsManager);
    const { rows } = await client.query(
      `insert into incident_letters (incident_id, addressee, subject, summary, signatory, names_included)
       select id, 'Client', 'Gate forced', 'The gate was forced and has been repaired.', 'The manager', true
       from incidents where witnesses is not null
       returning facts`,
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('Hawa');
  });
});

const TEMPLATE = `insert into incident_templates (site_id, title, category, severity, questions)
  values ($1, 'Fence cut', 'property', 'medium', 'Where is it?')`;

test('a title is offered once at a site and once at every site', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, opsManager);
    for (const site of [null, scene.sites.here]) {
      await client.query(TEMPLATE, [site]);
      expect(await attempt(client, () => client.query(TEMPLATE, [site]))).toBe('23505');
    }
  });
});
