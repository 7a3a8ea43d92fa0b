// A guard who works alone, in a scene without other welfare checks.
import type { Pool, PoolClient } from 'pg';
import { guardHere, type Person } from './people.ts';
import type { Scene } from './scene.ts';
import { type SceneDatabase, sceneDatabase } from './scene-database.ts';
import { become, becomeOwner, call, rolledBack } from './session.ts';

/** The scene for `welfareStory`. */
export async function welfareScene(): Promise<SceneDatabase> {
  const made = await sceneDatabase();
  await made.database.owner.query(`
    delete from welfare_checks; delete from alerts; delete from notices;
    update attendance set clock_out_at = now() - interval '11 hours'`);
  return made;
}

type Row = Record<string, unknown>;

export interface WelfareStory {
  client: PoolClient;
  /** The guard's assignment at a post that they guard alone. */
  assignment: string;
  /** Moves everything that has happened into the past, as if the time had gone by. */
  later: (minutes: number) => Promise<void>;
  /** The scheduler looks. @returns what came of it, for example `asked, reminded 1` */
  look: () => Promise<string>;
  /** "I am fine". @param minutesAgo when the guard pressed; it arrives now @returns how many checks it answered */
  fine: (minutesAgo?: number, person?: Person) => Promise<number>;
  clock: (kind: 'in' | 'out', minutesAgo?: number) => Promise<unknown>;
  owner: (sql: string, values?: unknown[]) => Promise<Row[]>;
  alerts: () => Promise<Row[]>;
}

/** @param setUp SQL that runs first, as the owner */
export const welfareStory = (
  database: Pool,
  scene: Scene,
  work: (story: WelfareStory) => Promise<void>,
  setUp = '',
) =>
  rolledBack(database, async (client) => {
    const assignment = scene.unattended.get(`${guardHere.id} here`) ?? '';
    const owner: WelfareStory['owner'] = async (sql, values = []) => {
      await becomeOwner(client);
      return (await client.query(sql, values)).rows;
    };
    await owner('update posts set lone_worker = true');
    if (setUp) await owner(setUp);
    await work({
      client,
      assignment,
      owner,
      later: async (minutes) => {
        // In two steps, so that no check meets the time of another one.
        await owner(
          `update welfare_checks set due_at = due_at - make_interval(years => 1, mins => $1)`,
          [minutes],
        );
        for (const [table, ...columns] of [
          ['shifts', 'start_time', 'end_time'],
          ['welfare_checks', 'asked_at', 'reminded_at', 'alerted_at', 'next_step_at'],
          ['attendance', 'clock_in_at', 'clock_out_at', 'clock_in_received_at'],
        ]) {
          const moved = columns.map(
            (column) => `${column} = ${column} - make_interval(mins => $1)`,
          );
          await owner(`update ${table} set ${moved.join(', ')}`, [minutes]);
        }
        await owner(`update welfare_checks set due_at = due_at + interval '1 year'`);
      },
      look: async () => {
        await owner('select private.due_welfare_checks()');
        const [check] = await owner(
          `select asked_at, reminders, alerted_at from welfare_checks where asked_at is not null
           order by due_at desc limit 1`,
        );
        if (!check) return 'nothing';
        if (check.alerted_at) return 'alert';
        return check.reminders === 0 ? 'asked' : `reminded ${check.reminders}`;
      },
      fine: async (minutesAgo = 0, person = guardHere) => {
        await become(client, person);
        return call(
          client,
          `answer_welfare_check($1, now() - make_interval(mins => $2), null, 0)`,
          [assignment, minutesAgo],
        );
      },
      clock: async (kind, minutesAgo = 0) => {
        await become(client, guardHere);
        return client.query(
          `select record_clock_event(gen_random_uuid(), $1, $2, now() - make_interval(mins => $3),
             p_server_offset_ms => 0, p_gps => '6.3,-10.8')`,
          [kind, assignment, minutesAgo],
        );
      },
      alerts: () =>
        owner(
          `select kind, user_id, detail, outcome, note, closed_at is null as open from alerts order by raised_at`,
        ),
    });
  });
