// The board of a company with more sites than one board shows.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { rosterBoardSchema } from '#shared/roster/input.ts';
import { dispatcher, guardHere, supervisorHere } from '#tests/support/people.ts';
import { rosterWriters } from '#tests/support/roster-writers.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;
const { addShift, assign } = rosterWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(
    'delete from attendance; delete from assignments; delete from shifts; delete from certifications',
  );
});

type Filters = { page?: number; client?: string; supervisor?: string; q?: string; site?: string };

const board = (more: number, person: typeof dispatcher, filters: Filters = {}) =>
  rolledBack(database.owner, async (client) => {
    await client.query(
      `insert into sites (name, address, client_name, client_id, timezone)
       select 'Branch ' || to_char(n, 'FM000'), s.address, c.name, c.id, s.timezone
       from generate_series(1, $1::int) n, sites s join clients c on c.id = s.client_id
       where s.id = $2`,
      [more, scene.sites.here],
    );
    await addShift(client, ['02 06:00', 12]);
    await become(client, person);
    const { rows } = await client.query(
      `select roster_board('2035-01-01', '2035-01-07', p_page => $1, p_site => $2, p_client => $3,
         p_supervisor => $4, p_q => $5) as board`,
      [
        filters.page ?? 1,
        filters.site ?? null,
        filters.client ?? null,
        filters.supervisor ?? null,
        filters.q ?? null,
      ],
    );
    return rosterBoardSchema.parse(rows[0].board);
  });

test('up to 200 sites come at once, whatever the filters say', async () => {
  const { sites, sites_planned, sites_found } = await board(10, dispatcher, { q: 'nothing' });
  expect(sites).toHaveLength(sites_planned);
  expect(sites_found).toBe(sites_planned);
});

describe('more than 200 sites', () => {
  test('come in pages, by name, with the names that all of them can be filtered by', async () => {
    const first = await board(250, dispatcher);
    const last = await board(250, dispatcher, { page: 3 });
    expect(first.sites).toHaveLength(100);
    expect(first.sites_found).toBe(first.sites_planned);
    expect(last.sites).toHaveLength(first.sites_planned - 200);
    expect(first.sites.map(({ name }) => name)).toContain('Branch 001');
    expect(last.sites.map(({ name }) => name)).toContain('Here');
    expect(first.shifts).toEqual([]);
    expect(last.shifts).toHaveLength(1);
    expect(first.clients).toEqual(last.clients);
    expect(first.supervisors).toContain('supervisor of the site');
  });

  test('are filtered by site, client, supervisor and the words of a search', async () => {
    const names = async (filters: Filters) =>
      (await board(250, dispatcher, filters)).sites.map(({ name }) => name);
    expect(await names({ q: 'BRANCH 150 ' })).toEqual(['Branch 150']);
    expect(await names({ site: scene.sites.here })).toEqual(['Here']);
    expect(await names({ supervisor: 'supervisor of the site' })).toEqual(['Here']);
    expect(await names({ client: 'No such client' })).toEqual([]);
    expect(await names({ q: '%' })).toEqual([]);
  });

  test('are still only those that a supervisor plans', async () => {
    const { sites, sites_planned } = await board(250, supervisorHere);
    expect(sites.map(({ name }) => name)).toEqual(['Here']);
    expect(sites_planned).toBe(1);
  });
});

test('a large company offers those who know the sites, and others up to 1,000', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(`
      insert into auth.users (id, email)
      select gen_random_uuid(), 'g' || n || '@many.example' from generate_series(1, 1100) n`);
    await client.query(
      `update profiles set full_name = 'A ' || email where email like '%@many.example'`,
    );
    await client.query(`
      insert into user_roles (user_id, role)
      select id, 'guard' from profiles where email like '%@many.example' on conflict do nothing`);
    // By name after all of them.
    const shift = await addShift(client, ['02 06:00', 12]);
    await client.query('insert into assignments (shift_id, user_id) values ($1, $2)', [
      shift,
      guardHere.id,
    ]);
    await become(client, dispatcher);
    const { rows } = await client.query(`select roster_board('2035-01-01', '2035-01-07') as board`);
    const people = rosterBoardSchema.parse(rows[0].board).people.map(({ id }) => id);
    expect(people).toHaveLength(1000);
    expect(people).toContain(guardHere.id);
  });
});

test.each([
  ['p_page => 0', '22023'],
  ['p_page => null', '22023'],
  [`p_q => repeat('x', 301)`, '22023'],
])('%s is refused', async (argument, code) => {
  await rolledBack(database.owner, async (client) => {
    await become(client, dispatcher);
    await expect(
      client.query(`select roster_board('2035-01-01', '2035-01-07', ${argument})`),
    ).rejects.toMatchObject({ code });
  });
});

test('who has confirmed, and who asks for a shift', async () => {
  const board = await rolledBack(database.owner, async (client) => {
    const [open, taken] = [
      await addShift(client, ['02 06:00', 12]),
      await addShift(client, ['03 06:00', 12]),
    ];
    await assign(client, taken);
    await client.query(`update assignments set status = 'confirmed'`);
    await client.query(
      `insert into offers (kind, shift_id, user_id, status, site_id)
       values ('bid', $1, $2, 'open', $3)`,
      [open, guardHere.id, scene.sites.here],
    );
    await become(client, dispatcher);
    const { rows } = await client.query(`select roster_board('2035-01-01', '2035-01-07') as board`);
    return { open, taken, ...rosterBoardSchema.parse(rows[0].board) };
  });
  expect(board.assignments).toMatchObject([{ shift_id: board.taken, confirmed: true }]);
  expect(board.bids).toEqual([{ shift_id: board.open, user_id: guardHere.id }]);
});

test('guards get no board', async () => {
  await expect(board(0, guardHere)).rejects.toMatchObject({ code: '42501' });
});
