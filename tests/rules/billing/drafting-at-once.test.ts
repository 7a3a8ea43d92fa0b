// Two people draft at the same time, in sessions that commit.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { BillingStory } from '#tests/support/billing-story.ts';
import { admin, finance, guardHere, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

test('one draft comes out, with each minute once', async () => {
  const { owner } = database;
  const story = new BillingStory(async (sql, values = []) => (await owner.query(sql, values)).rows);
  await story.setUp();
  await story.bill('gate');
  await story.rate(2);
  for (const day of [3, 4, 5]) {
    await story.work(guardHere, await story.shift('gate', day, '06:00-18:00'), '06:00-18:00');
  }
  const draftAs = async (person: Person) => {
    const client = await owner.connect();
    try {
      await client.query('begin');
      await become(client, person);
      const { rows } = await client.query(
        `select invoice_id, total from draft_invoices('2025-03-01', '2025-03-31', $1)`,
        [story.client],
      );
      await client.query('commit');
      return rows;
    } finally {
      client.release();
    }
  };
  const drafts = await Promise.all([admin, finance, admin, finance].map(draftAs));
  const [first] = drafts.flat();
  expect(drafts.flat()).toEqual([first, first, first, first]);
  expect(first).toMatchObject({ total: '72.00' });
  const { rows } = await owner.query(
    `select (select count(*)::int from invoices where client_id = $1) as invoices,
       (select sum(minutes)::int from billed_time where site_id = $2) as minutes`,
    [story.client, story.site],
  );
  expect(rows).toEqual([{ invoices: 1, minutes: 2160 }]);
});
