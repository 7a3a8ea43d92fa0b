// New guards with hours of a month long ago, and of one kind each something to decide, at a new site.
import { randomUUID } from 'node:crypto';
import type { Session } from '@supabase/supabase-js';
import { ownerConnection } from 'supabase-in-node/owner-connection';
import { inTransaction, withClient } from 'supabase-in-node/with-client';
import { readConfig } from '#server/config.ts';
import { type NewPerson, newPerson, visitor } from './people.ts';
import { ROOT, service } from './service.ts';

/** In a year that no other journey uses, each month for one journey. */
export type Month = { year: 2024; month: number };

export type GuardOfHours = { person: NewPerson; session: Session; name: string };

export type MonthOfHours = {
  siteId: string;
  siteName: string;
  /** First day of the month, yyyy-MM-dd. */
  first: string;
  guards: Record<string, GuardOfHours>;
};

/**
 * Attendance beside a shift from 6 to 18 o'clock on a day of the month: hours of the day, `out` null without a clock-out,
 * both null if nobody came.
 */
export type Worked = { day: number; in: number | null; out: number | null; flags?: string[] };

async function signUp(url: string, name: string): Promise<GuardOfHours> {
  const person = { ...newPerson(), fullName: name };
  const { data, error } = await (await visitor(url)).auth.signUp({
    email: person.email,
    password: person.password,
    options: { data: { full_name: name } },
  });
  if (error) throw error;
  if (!data.session) throw new Error('Signing up gave no session.');
  return { person, session: data.session, name };
}

/** @param people what each guard worked, by a key; the names are unique */
export async function monthOfHours(
  url: string,
  dataDir: string,
  { year, month }: Month,
  people: Record<string, readonly Worked[]>,
): Promise<MonthOfHours> {
  const tag = randomUUID().slice(0, 6);
  const backend = await service(url, dataDir);
  const siteName = `Depot ${tag}`;
  const site = await backend
    .from('sites')
    .insert({ name: siteName, client_name: 'Harbour Client', address: 'Monrovia' })
    .select('id')
    .single()
    .throwOnError();
  const siteId = site.data.id;
  const guards: Record<string, GuardOfHours> = {};
  for (const key of Object.keys(people)) {
    guards[key] = await signUp(url, `Saah ${key} ${tag}`);
  }
  const at = (day: number, hour: number) =>
    new Date(Date.UTC(year, month - 1, day, 0, Math.round(hour * 60))).toISOString();
  const connection = await ownerConnection(readConfig({ DATA_DIR: dataDir }, ROOT));
  await withClient(connection, (client) =>
    inTransaction(client, async () => {
      for (const [key, days] of Object.entries(people)) {
        const userId = guards[key]?.session.user.id;
        await client.query(`insert into user_roles (user_id, role) values ($1, 'guard')`, [userId]);
        for (const worked of days) {
          const assigned = await client.query<{ id: string }>(
            `with shift as (
               insert into shifts (site_id, start_time, end_time) values ($1, $2, $3) returning id
             )
             insert into assignments (shift_id, user_id, override_reason)
             select id, $4, 'Nobody else' from shift returning id`,
            [siteId, at(worked.day, 6), at(worked.day, 18), userId],
          );
          if (worked.in === null) continue;
          await client.query(
            `insert into attendance (assignment_id, clock_in_at, clock_out_at) values ($1, $2, $3)`,
            [
              assigned.rows[0]?.id,
              at(worked.day, worked.in),
              worked.out === null ? null : at(worked.day, worked.out),
            ],
          );
          if (worked.flags) {
            await client.query(
              `update attendance set flags = $2, needs_review = true where assignment_id = $1`,
              [assigned.rows[0]?.id, worked.flags],
            );
          }
        }
      }
    }),
  );
  return { siteId, siteName, first: at(1, 0).slice(0, 10), guards };
}
