// Whom a guard relieves, and by whom they are relieved: their own post, near its time, and nobody else's number.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  type Person,
} from '#tests/support/people.ts';
import { emptyPosts, ReplacementStory } from '#tests/support/replacement-story.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await emptyPosts());
  await database.owner.query(LENIENT_RULES);
  await database.owner.query(`update profiles set phone = '+231770000042' where id = $1`, [
    bystander.id,
  ]);
});

const story = (work: (story: ReplacementStory) => Promise<void>) =>
  rolledBack(database.owner, (client) => work(new ReplacementStory(client, scene)));

const relief = (s: ReplacementStory, person: Person) =>
  s.as(person, 'select side, full_name, phone from my_relief()');

test('is who is there before and who comes after, with a number', () =>
  story(async (s) => {
    await s.assign(await s.shift(-4), bystander);
    await s.assign(await s.shift(4), guardHere);
    await s.assign(await s.shift(12), guardElsewhere);
    expect(await relief(s, guardHere)).toEqual([
      { side: 'before', full_name: bystander.name, phone: '+231770000042' },
      { side: 'after', full_name: guardElsewhere.name, phone: null },
    ]);
    expect(await relief(s, bystander)).toMatchObject([
      { side: 'after', full_name: guardHere.name },
    ]);
    expect(await relief(s, dispatcher)).toEqual([]);
  }));

test('is nobody earlier than 12 hours before, of another time, or who is off the shift', () =>
  story(async (s) => {
    const far = await s.shift(13);
    await s.assign(far, guardHere);
    const before = await s.assign(await s.shift(5), bystander);
    expect(await relief(s, guardHere)).toEqual([]);
    await s.owner(
      `update shifts set start_time = now() + interval '11 hours', end_time = now() + interval '19 hours' where id = $1`,
      [far],
    );
    expect(await relief(s, guardHere)).toEqual([]);
    await s.owner(
      `update shifts set start_time = now() + interval '3 hours', end_time = now() + interval '11 hours'
       where id = (select shift_id from assignments where id = $1)`,
      [before],
    );
    expect(await relief(s, guardHere)).toHaveLength(1);
    await s.owner(`update assignments set status = 'cancelled' where id = $1`, [before]);
    expect(await relief(s, guardHere)).toEqual([]);
  }));
