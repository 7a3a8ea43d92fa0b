// A company without shifts in a zone with a half-hour offset, so that a day boundary in the wrong zone shows.
import type { PoolClient } from 'pg';
import type { Person } from './people.ts';
import { LENIENT_RULES } from './scene.ts';
import { type SceneDatabase, sceneDatabase } from './scene-database.ts';

export const ZONE = 'Asia/Kolkata';

export async function emptyRoster(): Promise<SceneDatabase> {
  const made = await sceneDatabase();
  const { owner } = made.database;
  await owner.query(
    'delete from attendance; delete from assignments; delete from shifts; delete from leave_requests',
  );
  await owner.query('update private.settings set time_zone = $1', [ZONE]);
  await owner.query(LENIENT_RULES);
  return made;
}

export async function rowsOf(client: PoolClient, sql: string, values: unknown[] = []) {
  return (await client.query(sql, values)).rows;
}

/** SQL for the company's midnight, `days` from today. */
export const midnight = (days: number) =>
  `((now() at time zone '${ZONE}')::date + ${days})::timestamp at time zone '${ZONE}'`;

/** At the site "Here" unless another is given. @param from SQL of an instant, as `to` */
export async function addShift(
  client: PoolClient,
  from: string,
  to: string,
  { site, headcount = 1 }: { site?: string; headcount?: number } = {},
): Promise<string> {
  const [row] = await rowsOf(
    client,
    `insert into shifts (site_id, start_time, end_time, required_headcount)
     values (coalesce($1, (select id from sites where name = 'Here')), ${from}, ${to}, $2) returning id`,
    [site, headcount],
  );
  return row.id;
}

export async function assign(
  client: PoolClient,
  shift: string,
  person: Person,
  status = 'assigned',
) {
  const [row] = await rowsOf(
    client,
    'insert into assignments (shift_id, user_id, status) values ($1, $2, $3) returning id',
    [shift, person.id, status],
  );
  return row.id as string;
}

/** @param first days from today, as `last` */
export async function addLeave(
  client: PoolClient,
  person: Person,
  first: number,
  last: number,
  status: string,
): Promise<string> {
  const [row] = await rowsOf(
    client,
    `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
     select $1, 'annual', today + $2::int, today + $3::int, 'Family', $4
     from (select (now() at time zone '${ZONE}')::date as today) t returning id`,
    [person.id, first, last, status],
  );
  return row.id;
}
