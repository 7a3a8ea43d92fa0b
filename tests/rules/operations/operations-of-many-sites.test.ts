// The operations board of a planner of more sites than one board shows.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { dispatcher, guardHere, type Person, supervisorHere } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';
import { countRows, toBoard, toBoardRows } from '#web/features/operations/board/board-rows.ts';
import { boardSchema } from '#web/features/operations/board/operations-schema.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`delete from alerts; delete from clock_events; delete from attendance;
    delete from assignments; delete from shifts`);
  await database.owner.query(LENIENT_RULES);
});

/** Branch 001 to 250, each with a shift from $2 to $3 hours from now that nobody is on. */
const BRANCHES = `
  with made as (
    insert into sites (name, address, client_name, client_id, timezone, county)
    select 'Branch ' || to_char(n, 'FM000'), s.address, c.name, c.id, s.timezone, case when n % 2 = 0 then 'Bong' else 'Nimba' end
    from generate_series(1, 250) n, sites s join clients c on c.id = s.client_id
    where s.id = $1
    returning id
  )
  insert into shifts (site_id, start_time, end_time)
  select id, now() + $2 * interval '1 hour', now() + $3 * interval '1 hour' from made`;

const ON_POST = `
  with shift as (
    insert into shifts (site_id, post_id, start_time, end_time) values ($1, $2, now() - interval '2 hours', now() + interval '6 hours')
    returning id
  )
  insert into assignments (shift_id, user_id, created_at) select id, $3, now() - interval '1 day' from shift returning id`;

const SOS = `
  select private.raise_alert('sos', 'sos:1', a.site_id, a.shift_id, a.id, a.user_id, null)
  from assignments a where a.id = $1`;

type Read = (person: Person, args?: string) => Promise<ReturnType<typeof boardSchema.parse>>;

/** A guard at the site "Here" with an open SOS, and 250 branches whose seats are empty. */
const company = (
  work: (read: Read, owner: (sql: string) => Promise<unknown>) => Promise<void>,
  [from, to] = [-1, 7],
) =>
  rolledBack(database.owner, async (client) => {
    await client.query(BRANCHES, [scene.sites.here, from, to]);
    const values = [scene.sites.here, scene.posts.here, guardHere.id];
    const { rows } = await client.query<{ id: string }>(ON_POST, values);
    await client.query(SOS, [rows[0]?.id]);
    await work(
      async (person, args = '') => {
        await become(client, person);
        const answer = await client.query(`select operations_board(${args}) as board`);
        return boardSchema.parse(answer.rows[0].board);
      },
      async (sql) => {
        await becomeOwner(client);
        return client.query(sql);
      },
    );
  });

describe('more than 200 sites', () => {
  test('come as the gravest 200 posts, with the seats of all of them and the names of the filters', () =>
    company(async (read) => {
      const { shifts, sites, part } = await read(dispatcher);
      expect(shifts).toHaveLength(200);
      expect(sites.map(({ name }) => name)).toContain('Here');
      expect(sites.map(({ name }) => name)).not.toContain('Branch 250');
      expect(part).toMatchObject({ posts: 251, counties: ['Bong', 'Nimba'] });
      expect(part?.clients).toContain('Client');
      expect(part?.supervisors).toContain(supervisorHere.name);
      expect(part?.counts).toMatchObject({ sos: 1, empty: 250, on_post: 0 });
    }));

  test('are filtered by the database', () =>
    company(async (read) => {
      const names = async (filter: string) =>
        (await read(dispatcher, filter)).sites.map(({ name }) => name);
      expect(await names(`p_q => 'branch 250'`)).toEqual(['Branch 250']);
      expect(await names(`p_q => '${guardHere.name}'`)).toEqual(['Here']);
      expect(await names(`p_state => 'sos'`)).toEqual(['Here']);
      expect(await names(`p_supervisor => '${supervisorHere.name}'`)).toEqual(['Here']);
      expect(await names(`p_client => 'No such client'`)).toEqual([]);
      expect(await names(`p_sites => array['${scene.sites.here}']::uuid[]`)).toEqual(['Here']);
      const { part } = await read(dispatcher, `p_counties => '{Bong}'`);
      expect(part).toMatchObject({ posts: 125, counts: { empty: 125, sos: 0 } });
    }));

  test('have no part where nothing is expected now or soon', () =>
    company(
      async (read) => {
        const { sites, part } = await read(dispatcher);
        expect(sites.map(({ name }) => name)).toEqual(['Here']);
        expect(part).toMatchObject({ posts: 1 });
      },
      [3, 9],
    ));

  test('do not concern a supervisor of one of them', () =>
    company(async (read) => {
      const { sites, part } = await read(supervisorHere);
      expect(sites.map(({ name }) => name)).toEqual(['Here']);
      expect(part).toBeNull();
    }));
});

describe('the seats by state', () => {
  const countedBoth = (prepare: string) =>
    rolledBack(database.owner, async (client) => {
      const values = [scene.sites.here, scene.posts.here, guardHere.id];
      await client.query(ON_POST, values);
      await client.query(prepare);
      const counted = await client.query(
        `select counts from private.gravest_posts(now() - interval '12 hours', now() + interval '2 hours',
           null, null, null, null, null, null, null)`,
      );
      await become(client, dispatcher);
      const { rows } = await client.query('select operations_board() as board');
      const board = boardSchema.parse(rows[0].board);
      const now = Date.parse(board.at);
      expect(counted.rows[0].counts).toEqual(countRows(toBoardRows(toBoard(board, now), now)));
      return counted.rows[0].counts;
    });
  const attend = (clockOut: string) =>
    `insert into attendance (assignment_id, clock_in_at, clock_out_at)
     select id, now() - interval '1 hour', ${clockOut} from assignments`;

  test.each([
    ['missing', 'select 1'],
    ['late', `update sites set alert_after_minutes = 200`],
    ['unconfirmed', `update shifts set start_time = now() + interval '1 hour'`],
    [
      'due',
      `update shifts set start_time = now() + interval '1 hour'; update assignments set status = 'confirmed'`,
    ],
    ['empty', `update assignments set status = 'no_show'`],
    ['on_post', attend('null')],
    ['left_early', attend('now()')],
    [
      'no_signal',
      `${attend('null')}; insert into alerts (cause, kind, shift_id, assignment_id, user_id, site_id)
        select 'welfare', 'welfare', shift_id, id, user_id, site_id from assignments`,
    ],
    [
      'sos',
      `insert into alerts (cause, kind, shift_id, assignment_id, user_id, site_id)
        select 'sos', 'sos', shift_id, id, user_id, site_id from assignments`,
    ],
  ])('are the same in the database as on the screen: %s', async (state, prepare) => {
    expect(await countedBoth(prepare)).toMatchObject({ [state]: 1 });
  });

  test('count a guard on post also without a signal and with an SOS', async () => {
    for (const kind of ['welfare', 'sos']) {
      const alert = `insert into alerts (cause, kind, shift_id, assignment_id, user_id, site_id)
        select '${kind}', '${kind}', shift_id, id, user_id, site_id from assignments`;
      expect(await countedBoth(`${attend('null')}; ${alert}`)).toMatchObject({ on_post: 1 });
    }
    const counts = await countedBoth(attend('now()'));
    expect(counts).toMatchObject({ on_post: 0, left_early: 1 });
  });
});

test.each([
  [`p_q => repeat('x', 301)`],
  [`p_sites => array_fill(gen_random_uuid(), array[1001])`],
  [`p_counties => array_fill('x'::text, array[1001])`],
])('%s is refused', (argument) =>
  rolledBack(database.owner, async (client) => {
    await become(client, dispatcher);
    await expect(client.query(`select operations_board(${argument})`)).rejects.toMatchObject({
      code: '22023',
    });
  }),
);
