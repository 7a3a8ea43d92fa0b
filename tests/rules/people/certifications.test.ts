import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { dispatcher, guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

test('a certification is valid, expiring within 30 days or expired, and totals count readable ones', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query('delete from certifications');
    const { rows: made } = await client.query<{ id: string }>(
      `insert into training_courses (title) values ('Dog handling') returning id`,
    );
    for (const left of ['-1 second', '1 minute', '30 days', '30 days 1 minute', '2 years']) {
      await client.query(
        'insert into certifications (user_id, course_id, expires_at) values ($1, $2, now() + $3::interval)',
        [guardHere.id, made[0]?.id, left],
      );
    }
    const totals = 'select valid, expiring, expired from certification_totals()';
    const expected = [{ valid: 2, expiring: 2, expired: 1 }];
    for (const person of [hr, guardHere]) {
      await become(client, person);
      expect((await client.query(totals)).rows, person.name).toEqual(expected);
      const { rows } = await client.query(
        'select validity(c) as state from certifications c order by expires_at',
      );
      expect(rows.map(({ state }) => state)).toEqual([
        'expired',
        'expiring',
        'expiring',
        'valid',
        'valid',
      ]);
      await client.query('reset role');
    }
    await become(client, dispatcher);
    expect((await client.query(totals)).rows).toEqual([]);
  });
});
