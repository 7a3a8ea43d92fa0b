// Asks the policies of realtime.messages what somebody may do on a private channel (PROTOCOL.md 3.6).
// Rows are written, looked at and refused within one transaction that is always rolled back.
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

/** Public channels ask nobody. */
export const EVERYTHING: TopicRights = { read: all, write: all };

const none: ReadonlySet<MessageExtension> = new Set();
export const NOTHING: TopicRights = { read: none, write: none };

const PROBE = `insert into realtime.messages (topic, extension, event, payload, private)
  select $1, extension, 'probe', '{}', true from unnest($2::text[]) as extension`;
const REFUSED = '42501';

async function become(client: pg.ClientBase, caller: Caller, topic: string): Promise<boolean> {
  // The owner may be anybody; a token may only name a role that the door would take.
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
    if ((error as pg.DatabaseError).code !== REFUSED) throw error;
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
    if ((error as pg.DatabaseError).code !== REFUSED) throw error;
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
    if (!(await become(client, caller, topic))) return NOTHING;
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
