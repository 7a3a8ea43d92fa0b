// The demo company of a new database: wanted, then today (the company as it is now), then loaded (with its history).
import type { ClientBase, Pool } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { StartError } from 'supabase-in-node/start-error';
import { hasTable, inTransaction } from 'supabase-in-node/with-client';

type OnStep = (done: number, total: number) => void;

/** Implemented by demo/fill.ts, which an ordinary start does not load. */
export interface DemoCompany {
  /** Everything in one transaction. */
  fillDemo(client: ClientBase, now: Date, blobs?: Context['blobs'], onStep?: OnStep): Promise<void>;
  /** What the first screens show. */
  fillToday(
    client: ClientBase,
    now: Date,
    blobs?: Context['blobs'],
    onStep?: OnStep,
  ): Promise<void>;
  /** The months behind `fillToday` of the same time: transactions in this order, beside the users, without triggers. */
  historySteps(now: Date): readonly ((client: ClientBase) => Promise<void>)[];
}

const TABLE = `
  create table if not exists platform.demo (state text not null);
  alter table platform.demo drop constraint if exists demo_state_check,
    add constraint demo_state_check check (state in ('wanted', 'today', 'loaded')),
    add column if not exists filled_at timestamptz,
    add column if not exists history_steps integer not null default 0;
  create unique index if not exists demo_is_one_row on platform.demo ((true))`;

/** They would act on half of the history. */
const HELD_JOBS = [
  'private.due_time',
  'private.check_billed_timesheets',
  'private.sum_for_margin',
  'private.apply_pay_bases',
  'private.tell_of_due_dates',
];

/**
 * Marks a new database as a demo. Decided before the first migration, so that an interrupted start is finished by the
 * next, and never again: demo data must not reach a production database by a later start.
 */
export async function markAsDemo(client: ClientBase): Promise<void> {
  await client.query(TABLE);
  await client.query(`insert into platform.demo values ('wanted') on conflict do nothing`);
}

export async function demoState(client: ClientBase | Pool): Promise<string | undefined> {
  if (!(await hasTable(client, 'platform.demo'))) return undefined;
  const result = await client.query<{ state: string }>('select state from platform.demo');
  return result.rows[0]?.state;
}

/** @returns whether the database is the demo company's, whatever the server's settings are */
export async function holdsDemo(client: ClientBase | Pool): Promise<boolean> {
  return (await demoState(client)) !== undefined;
}

/** Without `disable trigger`, whose lock users would wait for, only a superuser can write without triggers. */
async function canFillBesideUsers(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ can: boolean }>(
    'select rolsuper as can from pg_roles where rolname = current_user',
  );
  return rows[0]?.can ?? false;
}

interface Loading {
  /** Whether this server may hold a demo. */
  isDemo: boolean;
  /** Undefined leaves a new database empty. */
  load: (() => Promise<DemoCompany>) | undefined;
  /** Also its history. */
  isWhole: boolean;
  blobs: Context['blobs'];
  onStep: OnStep;
}

/** @throws StartError when demo accounts would be served in production */
export async function loadDemo(
  client: ClientBase,
  { isDemo, load, isWhole, blobs, onStep }: Loading,
): Promise<void> {
  const state = await demoState(client);
  if (state !== undefined && !isDemo) {
    throw new StartError(
      'This database holds the demo accounts, whose password is published. Start production on an empty database (another DATA_DIR or DATABASE_URL).',
    );
  }
  if (state === 'wanted' && load !== undefined) {
    const company = await load();
    await inTransaction(client, async () => {
      // An earlier release that was interrupted left it without these columns.
      await client.query(TABLE);
      const inOneGo = isWhole || !(await canFillBesideUsers(client));
      const now = new Date();
      await (inOneGo ? company.fillDemo : company.fillToday)(client, now, blobs, onStep);
      await client.query('update platform.demo set state = $1, filled_at = $2', [
        inOneGo ? 'loaded' : 'today',
        now,
      ]);
      if (!inOneGo) await holdJobs(client);
    });
  } else if (state === 'today') {
    await holdJobs(client);
  }
}

/** For an hour: if the history can't be filled, they go on without it. */
async function holdJobs(client: ClientBase): Promise<void> {
  await client.query(
    `insert into private.jobs (name, next_at) select name, now() + interval '1 hour' from unnest($1::text[]) name
     on conflict (name) do update set next_at = excluded.next_at`,
    [HELD_JOBS],
  );
}

/** @returns the steps that are done, and the time for which the company is filled; undefined when nothing is left to do */
export async function historyToFill(
  client: ClientBase | Pool,
): Promise<{ done: number; now: Date } | undefined> {
  if ((await demoState(client)) !== 'today') return undefined;
  const { rows } = await client.query<{ done: number; now: Date }>(
    'select history_steps as done, filled_at as now from platform.demo',
  );
  return rows[0];
}

/**
 * Runs a step in a transaction of its own, unless another server has run it.
 * @param place from 0
 */
export async function runHistoryStep(
  client: ClientBase,
  steps: readonly ((client: ClientBase) => Promise<void>)[],
  place: number,
): Promise<void> {
  await inTransaction(client, async () => {
    const { rows } = await client.query<{ done: number }>(
      'select history_steps as done from platform.demo for update',
    );
    if (rows[0]?.done !== place) return;
    await client.query('set local session_replication_role = replica');
    await steps[place]?.(client);
    const isLast = place + 1 === steps.length;
    await client.query('update platform.demo set history_steps = $1, state = $2', [
      place + 1,
      isLast ? 'loaded' : 'today',
    ]);
    if (!isLast) return;
    await client.query('update private.jobs set next_at = now() where name = any ($1)', [
      HELD_JOBS,
    ]);
  });
}
