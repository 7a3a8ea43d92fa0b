// The top of the roster's board, which comes sooner than the board.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { rosterBoardSchema, rosterFirstSitesSchema } from '#shared/roster/input.ts';
import { dispatcher, guardHere } from '#tests/support/people.ts';
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

test('is the board of the first sites with shifts, by name, with the names of their guards', async () => {
  await rolledBack(database.owner, async (client) => {
    const shift = await addShift(client, ['02 06:00', 12]);
    await assign(client, shift);
    await become(client, dispatcher);
    const first = await client.query(
      `select roster_first_sites('2035-01-01', '2035-01-07') as roster`,
    );
    const whole = await client.query(`select roster_board('2035-01-01', '2035-01-07') as roster`);
    const { people, ...top } = rosterFirstSitesSchema.parse(first.rows[0].roster);
    const board = rosterBoardSchema.parse(whole.rows[0].roster);
    expect(people).toEqual(
      board.people.filter(({ id }) => id === guardHere.id).map(({ id, name }) => ({ id, name })),
    );
    expect(people).toHaveLength(1);
    expect(top.sites).toEqual(board.sites.filter(({ id }) => id === scene.sites.here));
    expect(top.posts).toEqual(board.posts.filter(({ site_id }) => site_id === scene.sites.here));
    const { sites, posts, courses } = board;
    expect(board).toMatchObject({ ...top, sites, posts, courses });
  });
});

test('is refused to those who plan no shifts', async () => {
  await rolledBack(database.owner, async (client) => {
    await become(client, guardHere);
    await expect(
      client.query(`select roster_first_sites('2035-01-01', '2035-01-07')`),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
