// Every night, and at each start: makes the shifts that posts ask for in the coming weeks, and writes public holidays.
import { TZDate } from '@date-fns/tz';
import type { FastifyPluginAsync } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { Rounds } from 'supabase-in-node/rounds';
import { hasTable } from 'supabase-in-node/with-client';
import { company } from '#company';
import { countFailure } from '../operations/jobs.ts';
import { NIGHTLY_ROSTER } from '../operations/work.ts';
import { writeHolidays } from './holidays.ts';

/** In the company's zone, when few shifts begin. */
const AT_HOUR = 1;
/** After a database error. */
const AGAIN_MS = 10 * 60_000;
/** How long the round may delay the stop; a part of it takes a fraction of a second. */
const STOP_MS = 1_000;
/** Planned in one transaction, which changes of posts and their requirements wait for. */
const SITES_AT_ONCE = 100;

const LOCK = `hashtextextended('nightly roster', 0)`;

export function nightlyRoster({ database, now }: Context): FastifyPluginAsync {
  return async (app) => {
    // Another project served from PROJECT_DIR has no posts.
    if (!(await hasTable(database.owner, 'public.post_requirements'))) return;
    const untilNext = () => untilNextRun(now(), company.timeZone);
    const work = async () => {
      if (!(await prepareRoster(database.owner, now(), nights))) return;
      await noteRun(database.owner, untilNext());
    };
    const nights: Rounds = new Rounds(work, {
      everyMs: untilNext,
      afterErrorMs: AGAIN_MS,
      stopMs: STOP_MS,
      onError: (error) => {
        countFailure(NIGHTLY_ROSTER.name, error);
        app.log.warn({ err: error }, 'shifts of the coming weeks not made');
      },
    });
    app.addHook('onReady', async () => nights.start(0));
    app.addHook('onClose', () => nights.stop());
  };
}

/** So that the System screen and the metrics tell of a night without it. */
async function noteRun(owner: Pool, untilNextMs: number): Promise<void> {
  await owner.query(
    `insert into private.jobs as j (name, next_at, last_run_at, runs)
     values ($1, now() + make_interval(secs => $2), now(), 1)
     on conflict (name) do update
     set next_at = excluded.next_at, last_run_at = excluded.last_run_at, runs = j.runs + 1`,
    [NIGHTLY_ROSTER.name, untilNextMs / 1_000],
  );
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

/**
 * One process at a time: the others skip it. Repeating it changes nothing, so a round that is stopped between two parts is
 * simply begun again.
 * @returns whether this process did all of it
 */
export async function prepareRoster(
  owner: Pool,
  now: Date,
  round: Pick<Rounds, 'isStopped'> = { isStopped: false },
): Promise<boolean> {
  const client = await owner.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(${LOCK}) as locked`,
    );
    if (!rows[0]?.locked) return false;
    try {
      const year = now.getFullYear();
      await writeHolidays(client, [year, year + 1, year + 2]);
      return await planSites(client, round);
    } finally {
      await client.query(`select pg_advisory_unlock(${LOCK})`);
    }
  } finally {
    client.release();
  }
}

async function planSites(client: PoolClient, round: Pick<Rounds, 'isStopped'>): Promise<boolean> {
  const { rows: sites } = await client.query<{ id: string }>(
    'select distinct site_id as id from public.posts order by 1',
  );
  for (let first = 0; first < sites.length; first += SITES_AT_ONCE) {
    if (round.isStopped) return false;
    const part = sites.slice(first, first + SITES_AT_ONCE).map(({ id }) => id);
    // A site's zone may be a day behind the company's.
    await client.query(
      `select public.expand_demand(private.company_date() - 1, private.company_date() + private.demand_horizon_days(), $1)`,
      [part],
    );
  }
  return true;
}
