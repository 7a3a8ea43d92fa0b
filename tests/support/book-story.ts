// A running shift at `here` with both guards of the site clocked in, for the tests of the book of the post.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll } from 'vitest';
import { bystander, guardHere, type Person } from './people.ts';
import { LENIENT_RULES, type Scene } from './scene.ts';
import { sceneDatabase } from './scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from './session.ts';

type Row = Record<string, unknown>;

export interface BookStory {
  /** As the person; guardHere until then. */
  as: (person: Person) => Promise<void>;
  rows: (sql: string, values?: unknown[]) => Promise<Row[]>;
  asOwner: (sql: string, values?: unknown[]) => Promise<Row[]>;
  refusal: (sql: string, values?: unknown[]) => Promise<string | undefined>;
}

export function bookStories() {
  let database: TestDatabase;
  let scene: Scene;

  beforeAll(async () => {
    ({ database, scene } = await sceneDatabase());
    await database.owner.query(`${LENIENT_RULES}; delete from post_entries; delete from visits; delete from key_movements;
      delete from handover_notes; delete from handovers; delete from checkpoint_scans; delete from incidents;
      delete from clock_events; delete from attendance; delete from assignments where starts_at < now()`);
  });

  /** @returns the person's assignment at the site */
  const own = (person: Person, site: 'here' | 'elsewhere' = 'here') =>
    scene.unattended.get(`${person.id} ${site}`);

  /** The coming shift is running, and both guards of the site have clocked in. */
  const story = (work: (story: BookStory) => Promise<void>) =>
    rolledBack(database.owner, async (client) => {
      let person: Person = guardHere;
      const rows: BookStory['rows'] = async (sql, values = []) =>
        (await client.query(sql, values)).rows;
      const as: BookStory['as'] = async (next) => {
        person = next;
        await become(client, next);
      };
      await client.query(
        `update shifts set start_time = now() - interval '2 hours' where start_time between now() and now() + interval '3 hours'`,
      );
      for (const guard of [guardHere, bystander]) {
        await client.query(
          `insert into attendance (assignment_id, clock_in_at) values ($1, now() - interval '2 hours')`,
          [own(guard)],
        );
      }
      await as(guardHere);
      await work({
        as,
        rows,
        asOwner: async (sql, values) => {
          await becomeOwner(client);
          const found = await rows(sql, values);
          await become(client, person);
          return found;
        },
        refusal: async (sql, values) => {
          const code = await attempt(client, () => rows(sql, values));
          await become(client, person);
          return code;
        },
      });
    });

  return { story, own, scene: () => scene };
}
