// What a report of an incident may say, and how many there may be.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, supervisorHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  asPerson,
  attempt,
  become,
  becomeOwner,
  REFUSED,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const CHECK = '23514';

describe('an incident', () => {
  const report = `insert into incidents (site_id, title, category, severity, description)
    select id, $1, $2, $3, $4 from sites where name = 'Here' returning status, raised_by_user_id`;
  const description = 'A window was found broken.';

  test('starts as open, raised by its reporter', async () => {
    const rows = await asPerson(database.owner, guardHere, report, [
      ' Window ',
      'theft',
      'low',
      description,
    ]);
    expect(rows).toEqual([{ status: 'open', raised_by_user_id: guardHere.id }]);
  });

  test.each([
    ['Fire', 'fire', 'low', description],
    ['T'.repeat(201), 'fire', 'low', description],
    ['Broken window', 'arson', 'low', description],
    ['Broken window', 'fire', 'severe', description],
    ['Broken window', 'fire', 'low', `${'Too short'}          `],
    ['Broken window', 'fire', 'low', 'D'.repeat(5001)],
  ])('is refused as %s, %s, %s', async (...values) => {
    await expect(asPerson(database.owner, guardHere, report, values)).rejects.toMatchObject({
      code: CHECK,
    });
  });

  test('never changes its site, reporter or time, even for an admin', async () => {
    for (const column of ['site_id', 'raised_by_user_id', 'created_at', 'written_at', 'id']) {
      const sql = `update incidents set ${column} = ${column}`;
      await expect(asPerson(database.owner, admin, sql)).rejects.toMatchObject({ code: REFUSED });
    }
  });

  test.each([
    ["interval '4 hours'", true],
    ["interval '29 days'", true],
    ["interval '1 minute'", false],
    ["interval '-1 hour'", false],
    ["interval '31 days'", false],
    ["interval 'infinity'", false],
    ["interval '-infinity'", false],
  ])('written %s ago says so: %s', async (ago, isKept) => {
    const sql = report
      .replace('description)', 'description, written_at)')
      .replace('$4', `$4, now() - ${ago}`)
      .replace(/returning .*/, `returning coalesce(written_at = now() - ${ago}, false) as is_kept`);
    const values = ['Broken window', 'fire', 'low', description];
    expect(await asPerson(database.owner, guardHere, sql, values)).toEqual([{ is_kept: isKept }]);
  });

  test('can’t be reported as resolved', async () => {
    const sql = report
      .replace('description)', 'description, status)')
      .replace('$4', `$4, 'resolved'`);
    const values = ['Broken window', 'fire', 'low', description];
    await expect(asPerson(database.owner, guardHere, sql, values)).rejects.toMatchObject({
      code: REFUSED,
    });
  });

  test('accepts only its own evidence: no other incident’s file, no script', async () => {
    await rolledBack(database.owner, async (client) => {
      await become(client, supervisorHere);
      const { rows } = await client.query<{ id: string }>('select id from incidents limit 2');
      const [first, second] = rows.map(({ id }) => id);
      const add = (url: string) =>
        attempt(client, () =>
          client.query(
            `insert into evidence (incident_id, type, url) values ($1, 'image/png', $2)`,
            [first, url],
          ),
        );
      expect(await add(`${first}/a.png`)).toBeUndefined();
      expect(await add('https://files.example/a.png')).toBeUndefined();
      expect(await add(`${second}/a.png`)).toBe(CHECK);
      expect(await add('javascript:alert(1)')).toBe(CHECK);
    });
  });
});

describe('incidents of one user within 24 hours', () => {
  const report = `insert into incidents (site_id, title, category, severity, description)
    select id, 'Broken fence', 'security', 'low', 'The fence at the back gate is broken.'
    from site_options, generate_series(1, $1) limit $1`;

  test('are limited to 500, in one statement or several, without affecting other users', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from incidents');
      await become(client, guardHere);
      expect(await attempt(client, () => client.query(report, [501]))).toBe('PGRST');
      await client.query(report, [499]);
      await client.query(report, [1]);
      const refusal = await client.query(report, [1]).catch((error: unknown) => error);
      expect(refusal).toMatchObject({
        code: 'PGRST',
        message: expect.stringContaining(
          'You can report at most 500 incidents within 24 hours. Please call your supervisor, or try again later.',
        ),
        detail: expect.stringContaining('"status" : 429'),
      });
    });
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from incidents');
      await become(client, guardHere);
      await client.query(report, [500]);
      await become(client, supervisorHere);
      expect(await attempt(client, () => client.query(report, [1]))).toBeUndefined();
      await become(client, guardHere);
      expect(await attempt(client, () => client.query(report, [1]))).toBe('PGRST');
    });
  });

  test('count for 24 hours only', async () => {
    await rolledBack(database.owner, async (client) => {
      await client.query('delete from incidents');
      await become(client, guardHere);
      await client.query(report, [500]);
      await becomeOwner(client);
      await client.query(`alter table incidents disable trigger user;
        update incidents set created_at = created_at - interval '25 hours';
        alter table incidents enable trigger user`);
      await become(client, guardHere);
      expect(await attempt(client, () => client.query(report, [1]))).toBeUndefined();
    });
  });
});
