// Prepares a database for the application.
import type { ClientBase } from 'pg';
import { hasColumn, hasTable } from 'supabase-in-node/with-client';
import { company } from '#company';
import type { AppConfig } from './config.ts';

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
  if (await hasColumn(client, 'private.settings', 'own_words')) {
    await client.query('update private.settings set own_words = $1', [OWN_WORDS]);
  }
}
