// Every night, and at each start: makes the shifts that posts ask for in the coming weeks, and writes public holidays.
import { TZDate } from '@date-fns/tz';
import type { FastifyPluginAsync } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { Rounds } from 'supabase-in-node/rounds';
import { hasTable, inTransaction } from 'supabase-in-node/with-client';
import { company } from '#company';
import { type Holiday, publicHolidays } from './holidays.ts';

/** In the company's zone, when few shifts begin. */
const AT_HOUR = 1;
/** After a database error. */
const AGAIN_MS = 10 * 60_000;

export function nightlyRoster({ database, now }: Context): FastifyPluginAsync {
  return async (app) => {
    // Another project served from PROJECT_DIR has no posts.
    if (!(await hasTable(database.owner, 'public.post_requirements'))) return;
    const nights = new Rounds(() => prepareRoster(database.owner, now()), {
      everyMs: () => untilNextRun(now(), company.timeZone),
      afterErrorMs: AGAIN_MS,
      onError: (error) => app.log.warn({ err: error }, 'shifts of the coming weeks not made'),
    });
    app.addHook('onReady', async () => nights.start(0));
    app.addHook('onClose', () => nights.stop());
  };
}

/** @returns milliseconds until the next night's run */
export function untilNextRun(now: Date, zone: string): number {
  const local = new TZDate(now, zone);
  const today = new TZDate(
    local.getFullYear(),
    local.getMonth(),
    local.getDate(),
    AT_HOUR,
    0,
    zone,
  );
  if (today.getTime() > now.getTime()) return today.getTime() - now.getTime();
  const tomorrow = new TZDate(today);
  tomorrow.setDate(tomorrow.getDate() + 1);
  return tomorrow.getTime() - now.getTime();
}

/** One process at a time: the others skip it. Repeating it changes nothing. @returns whether this process did it */
export async function prepareRoster(owner: Pool, now: Date): Promise<boolean> {
  const client = await owner.connect();
  let isDone = false;
  try {
    const year = now.getFullYear();
    const years = [year, year + 1, year + 2];
    const holidays = (await hasHolidays(client, years)) ? [] : await publicHolidays(years);
    await inTransaction(client, async () => {
      const { rows } = await client.query<{ locked: boolean }>(
        `select pg_try_advisory_xact_lock(hashtextextended('nightly roster', 0)) as locked`,
      );
      if (!rows[0]?.locked) return;
      await writeHolidays(client, holidays);
      // A site's zone may be a day behind the company's.
      await client.query(
        `select public.expand_demand(private.company_date() - 1, private.company_date() + private.demand_horizon_days())`,
      );
      isDone = true;
    });
  } finally {
    client.release();
  }
  return isDone;
}

/** Known holidays are not computed again: the library's lists take a tenth of a second to load. */
async function hasHolidays(client: PoolClient, years: readonly number[]): Promise<boolean> {
  const { rows } = await client.query<{ known: number }>(
    `select count(distinct extract(year from day))::int as known from public.public_holidays
     where extract(year from day) = any ($1)`,
    [years],
  );
  return rows[0]?.known === years.length;
}

async function writeHolidays(client: PoolClient, holidays: readonly Holiday[]): Promise<void> {
  await client.query(
    `insert into public.public_holidays (day, name)
     select * from unnest($1::date[], $2::text[]) on conflict do nothing`,
    [holidays.map(({ day }) => day), holidays.map(({ name }) => name)],
  );
}
