// Prepares a database for the application: its settings, and the demo company.
import type { ClientBase, Pool } from 'pg';
import { StartError } from 'supabase-in-node/start-error';
import { hasTable, inTransaction } from 'supabase-in-node/with-client';
import { company } from '#company';
import type { AppConfig } from './config.ts';

/**
 * Marks a new database as a demo. Decided before the first migration, so that an interrupted start is finished by the
 * next, and never again: demo data must not reach a production database by a later start.
 */
export async function markAsDemo(client: ClientBase): Promise<void> {
  await client.query(`
    create table if not exists platform.demo (state text not null check (state in ('wanted', 'loaded')));
    create unique index if not exists demo_is_one_row on platform.demo ((true));
    insert into platform.demo values ('wanted') on conflict do nothing`);
}

async function demoState(client: ClientBase | Pool): Promise<string | undefined> {
  if (!(await hasTable(client, 'platform.demo'))) return undefined;
  const result = await client.query<{ state: string }>('select state from platform.demo');
  return result.rows[0]?.state;
}

/** @returns whether the database is the demo company's, whatever the server's settings are */
export async function holdsDemo(client: ClientBase | Pool): Promise<boolean> {
  return (await demoState(client)) !== undefined;
}

/** @throws StartError when demo accounts would be served in production */
export async function loadDemo(
  client: ClientBase,
  isDemo: boolean,
  fill: ((client: ClientBase) => Promise<void>) | undefined,
): Promise<void> {
  const state = await demoState(client);
  if (state !== undefined && !isDemo) {
    throw new StartError(
      'This database holds the demo accounts, whose password is published. Start production on an empty database (another DATA_DIR or DATABASE_URL).',
    );
  }
  if (state !== 'wanted' || fill === undefined) return;
  await inTransaction(client, async () => {
    await fill(client);
    await client.query(`update platform.demo set state = 'loaded'`);
  });
}

/** No erasure of a person replaces these in texts. */
const OWN_WORDS = [
  company.name,
  company.shortName,
  company.email,
  company.hotline,
  company.messageNumber,
];

/** Policies and functions of our migrations read these; another project served from PROJECT_DIR has no such table. */
export async function writeSettings(
  client: ClientBase,
  signupPolicy: AppConfig['signupPolicy'],
  enquiriesPerHour: number,
): Promise<void> {
  if (!(await hasTable(client, 'private.settings'))) return;
  await client.query(
    'update private.settings set signup_policy = $1, time_zone = $2, enquiries_per_hour = $3',
    [signupPolicy, company.timeZone, enquiriesPerHour],
  );
  // A database with the tables of an earlier release, which PROJECT_DIR can serve, has no column for them.
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'private.settings'::regclass and attname = 'own_words' and not attisdropped`,
  );
  if (rowCount === 1) await client.query('update private.settings set own_words = $1', [OWN_WORDS]);
}
