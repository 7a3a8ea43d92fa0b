// Evaluates the policies of realtime.messages for a private channel (Supabase docs, "Realtime Authorization") by reading
// and writing rows in a transaction that is always rolled back.
import type pg from 'pg';
import type { Caller } from '../../../database/callers.ts';
import type { Database } from '../../../database/database.ts';

const EXTENSIONS = ['broadcast', 'presence'] as const;
export type MessageExtension = (typeof EXTENSIONS)[number];

export interface TopicRights {
  read: ReadonlySet<MessageExtension>;
  write: ReadonlySet<MessageExtension>;
}

const all: ReadonlySet<MessageExtension> = new Set(EXTENSIONS);

/** For public channels. */
export const EVERYTHING: TopicRights = { read: all, write: all };

const none: ReadonlySet<MessageExtension> = new Set();
export const NOTHING: TopicRights = { read: none, write: none };

const PROBE = `insert into realtime.messages (topic, extension, event, payload, private)
  select $1, extension, 'probe', '{}', true from unnest($2::text[]) as extension`;
const INSUFFICIENT_PRIVILEGE = '42501';

async function assumeRole(client: pg.ClientBase, caller: Caller, topic: string): Promise<boolean> {
  // The owner can assume any role, but a token only one that `authenticator` may.
  const { rows } = await client.query<{ ok: boolean }>(
    `select exists (select from pg_roles where rolname = $1)
       and case when exists (select from pg_roles where rolname = $1) then pg_has_role('authenticator', $1, 'member') end as ok`,
    [caller.role],
  );
  if (!rows[0]?.ok) return false;
  await client.query(
    `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('realtime.topic', $3, true)`,
    [caller.role, caller.claims, topic],
  );
  return true;
}

async function readable(client: pg.ClientBase, topic: string): Promise<Set<MessageExtension>> {
  await client.query('savepoint reading');
  try {
    const { rows } = await client.query<{ extension: MessageExtension }>(
      `select distinct extension from realtime.messages where topic = $1 and event = 'probe'`,
      [topic],
    );
    return new Set(rows.map(({ extension }) => extension));
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
    return new Set();
  } finally {
    await client.query('rollback to savepoint reading');
  }
}

async function isWritable(
  client: pg.ClientBase,
  topic: string,
  extension: MessageExtension,
): Promise<boolean> {
  await client.query('savepoint writing');
  try {
    await client.query(PROBE, [topic, [extension]]);
    return true;
  } catch (error) {
    if ((error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE) throw error;
    return false;
  } finally {
    await client.query('rollback to savepoint writing');
  }
}

/** @param topic the channel's name without `realtime:` */
export async function readTopicRights(
  database: Database,
  caller: Caller,
  topic: string,
): Promise<TopicRights> {
  const client = await database.owner.connect();
  let broken: Error | undefined;
  const write = new Set<MessageExtension>();
  try {
    await client.query('begin');
    await client.query(PROBE, [topic, [...EXTENSIONS]]);
    if (!(await assumeRole(client, caller, topic))) return NOTHING;
    const read = await readable(client, topic);
    for (const extension of EXTENSIONS) {
      if (await isWritable(client, topic, extension)) write.add(extension);
    }
    return { read, write };
  } finally {
    await client.query('rollback').catch((error: Error) => {
      broken = error;
    });
    client.release(broken);
  }
}
