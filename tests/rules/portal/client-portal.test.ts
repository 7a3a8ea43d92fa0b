// What a client's contact sees of the own sites: who is there now, and the coverage of days that are over.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  contactElsewhere,
  contactHere,
  formerContact,
  guardHere,
  type Person,
} from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, refusal, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

/** Runs as the person after the owner's work, on a site with no other shifts. */
const asContact = <Result>(
  person: Person,
  prepare: (client: PoolClient) => Promise<unknown>,
  look: (client: PoolClient) => Promise<Result>,
): Promise<Result> =>
  rolledBack(database.owner, async (client) => {
    await client.query(LENIENT_RULES);
    await client.query(`set session_replication_role = replica`);
    for (const table of ['time_segments', 'attendance', 'assignments', 'shifts']) {
      await client.query(`delete from ${table}`);
    }
    await client.query(`set session_replication_role = origin`);
    await client.query('delete from post_courses');
    await prepare(client);
    await become(client, person);
    return look(client);
  });

/** A shift of the post at `here`. @returns its id */
async function shift(client: PoolClient, from: string, to: string, headcount = 1): Promise<string> {
  const { rows } = await client.query(
    `insert into shifts (site_id, post_id, start_time, end_time, required_headcount)
     values ($1, $2, date_trunc('minute', now()) + $3::interval, date_trunc('minute', now()) + $4::interval, $5) returning id`,
    [scene.sites.here, scene.posts.here, from, to, headcount],
  );
  return rows[0]?.id;
}

/** A guard who clocked in, and perhaps out. */
async function works(
  client: PoolClient,
  shiftId: string,
  person: Person,
  since: string,
  out?: string,
) {
  await client.query(
    `with made as (insert into assignments (shift_id, user_id) values ($1, $2) returning id)
     insert into attendance (assignment_id, clock_in_at, clock_in_gps, clock_out_at, clock_out_gps)
     select id, date_trunc('minute', now()) + $3::interval, '6.3,-10.8', date_trunc('minute', now()) + $4::interval, case when $4 is not null then '6.3,-10.8' end
     from made`,
    [shiftId, person.id, since, out ?? null],
  );
}

const nowRows = async (client: PoolClient) =>
  (
    await client.query(
      `select site_name, post_name, required, guards, next_at - date_trunc('minute', now()) as next from client_now()`,
    )
  ).rows;

describe('now', () => {
  test('a post says how many guards it needs, and the first names of those who are there', async () => {
    const rows = await asContact(
      contactHere,
      async (client) => {
        const id = await shift(client, '-2 hours', '6 hours', 2);
        await works(client, id, guardHere, '-2 hours');
        await works(client, id, bystander, '-2 hours', '-1 hours');
      },
      nowRows,
    );
    expect(rows).toMatchObject([
      {
        site_name: 'Here',
        post_name: 'Gate',
        required: 2,
        guards: [{ name: guardHere.name.split(' ')[0], since: expect.any(String) }],
        next: null,
      },
    ]);
    expect(Object.keys(rows[0]?.guards[0])).toEqual(['name', 'photo', 'since']);
  });

  test('a guard who came early is there, although the shift has not begun', async () => {
    const rows = await asContact(
      contactHere,
      async (client) =>
        works(client, await shift(client, '20 minutes', '8 hours'), guardHere, '-5 minutes'),
      nowRows,
    );
    expect(rows).toMatchObject([{ required: 0, guards: [{}] }]);
  });

  test('a site where nobody is due tells when the next shift starts', async () => {
    const rows = await asContact(
      contactHere,
      (client) => shift(client, '5 hours', '9 hours'),
      nowRows,
    );
    expect(rows).toMatchObject([
      { site_name: 'Here', post_name: null, required: 0, guards: [], next: { hours: 5 } },
    ]);
  });

  test('other clients see their own sites, and a former contact none', async () => {
    const prepare = async (client: PoolClient) =>
      works(client, await shift(client, '-2 hours', '6 hours'), guardHere, '-2 hours');
    expect(await asContact(contactElsewhere, prepare, nowRows)).toMatchObject([
      { site_name: 'Elsewhere', guards: [] },
    ]);
    expect(await asContact(formerContact, prepare, nowRows)).toEqual([]);
  });
});

describe('coverage', () => {
  const report = async (client: PoolClient) =>
    (
      await client.query(
        `select client_coverage(private.company_date() - 3, private.company_date()) as found`,
      )
    ).rows[0]?.found;

  test('adds up by day and by post what was needed and what was missing', async () => {
    const found = await asContact(
      contactHere,
      async (client) => {
        const id = await shift(client, '-30 hours', '-22 hours');
        // An hour late.
        await works(client, id, guardHere, '-29 hours', '-22 hours');
        await shift(client, '-20 hours', '-18 hours');
      },
      report,
    );
    expect(found.posts).toEqual([
      {
        site_id: scene.sites.here,
        site: 'Here',
        post_id: scene.posts.here,
        post: 'Gate',
        required: 600,
        worked: 420,
        uncovered: 180,
        late: 60,
        overstaffed: 0,
      },
    ]);
    const sum = (key: string) =>
      found.days.reduce((total: number, day: Record<string, number>) => total + (day[key] ?? 0), 0);
    expect([sum('required'), sum('uncovered'), sum('late')]).toEqual([600, 180, 60]);
  });

  test('is empty for a former contact and another client', async () => {
    const prepare = (client: PoolClient) => shift(client, '-30 hours', '-22 hours');
    for (const person of [formerContact, contactElsewhere]) {
      expect(await asContact(person, prepare, report)).toEqual({ days: [], posts: [] });
    }
  });

  test.each([
    ['2031-01-02', '2031-01-01'],
    ['2031-01-01', '2031-04-03'],
    ['-infinity', '2031-01-01'],
    [null, '2031-01-01'],
    ['2031-01-01', null],
  ])('refuses %s to %s', async (from, to) => {
    await rolledBack(database.owner, async (client) => {
      await become(client, contactHere);
      const error = await refusal(client, () =>
        client.query('select client_coverage($1, $2)', [from, to]),
      );
      expect(error.code).toMatch(/^22/);
    });
  });
});
