// Deployments of one test, identified by their location.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#shared/database.types.ts';

type NewRow = Database['public']['Tables']['deployments']['Insert'];

/** A unique location. */
export const newLocation = () => `Post ${randomUUID().slice(0, 8)}`;

/** Inserts a deployment far in the future, so that it is first in the list. */
export async function addDeployment(
  client: SupabaseClient<Database>,
  values: Partial<NewRow> & { location: string },
) {
  const { data, error } = await client
    .from('deployments')
    .insert({
      guard_name: 'Musu Flomo',
      shift_start: '2031-05-01T18:00:00Z',
      shift_end: '2031-05-02T06:00:00Z',
      ...values,
    })
    .select()
    .single();
  if (error) throw error;
  return data;
}

/** Stored deployments of the location. */
export async function deploymentsAt(client: SupabaseClient<Database>, location: string) {
  const { data, error } = await client.from('deployments').select().eq('location', location);
  if (error) throw error;
  return data;
}

/** The card of the location's deployment. */
export const cardAt = (page: Page, location: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') })
    .filter({ hasText: location });

export type Entry = { guard: string; location: string; start: string; end: string };

/** Fills the required fields of the open dialog. */
export async function fillDeployment(page: Page, { guard, location, start, end }: Entry) {
  await page.getByLabel('Guard Name').fill(guard);
  await page.getByLabel('Location').fill(location);
  await page.getByLabel('Shift Start').fill(start);
  await page.getByLabel('Shift End').fill(end);
}
