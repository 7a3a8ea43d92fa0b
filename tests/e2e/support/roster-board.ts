// The roster board for journeys: a site with shifts of its own, and how to reach and move its cells.
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#shared/database.types.ts';
import { emailOf } from '#tests/e2e/support/people.ts';
import { test as base, expect } from '#tests/e2e/support/test.ts';

type Client = SupabaseClient<Database>;
type Guard = { id: string; name: string };

/** A site with shifts of its own in a week of its own, far from the demo company's. */
type Plan = {
  name: string;
  path: string;
  database: Client;
  guards: [Guard, Guard];
  /** Monday of the week. */
  week: string;
  /** Adds a shift on a day of the week (0 for Monday) and the guard to its draft. @returns its id */
  shift: (
    day: number,
    hours: 'day' | 'night' | 'late',
    guard?: Guard,
    post?: string,
  ) => Promise<string>;
  /** Adds a post at the site. @returns its id */
  post: () => Promise<string>;
  draft: () => Promise<{ user_id: string; shift_id: string; change: string }[]>;
};

const HOURS = { day: ['06:00', 12], night: ['18:00', 12], late: ['14:00', 8] } as const;

export async function guardOf(database: Client, name: 'guard' | 'guard2'): Promise<Guard> {
  const { data } = await database
    .from('profiles')
    .select('id, full_name')
    .eq('email', emailOf(name))
    .single()
    .throwOnError();
  return { id: data.id, name: data.full_name ?? '' };
}

export const test = base.extend<{ plan: Plan }>({
  plan: async ({ databaseOf }, use, info) => {
    const database = await databaseOf('ops');
    // Tests that share a server may run at the same time, with the same guards.
    const offset = ((info.line % 100) + 100 * (info.parallelIndex % 3)) * 7;
    const monday = new Date(Date.UTC(2034, 0, 2 + offset));
    const name = `Yard ${randomUUID().slice(0, 8)}`;
    const { data: site } = await database
      .from('sites')
      .insert({ name, client_name: 'Harbour Lines', address: 'Monrovia' })
      .select('id')
      .single()
      .throwOnError();
    const week = monday.toISOString().slice(0, 10);
    await use({
      name,
      path: `/admin/roster?week=${week}&site=${site.id}`,
      database,
      guards: [await guardOf(database, 'guard'), await guardOf(database, 'guard2')],
      week,
      async post() {
        const { data } = await database
          .from('posts')
          .insert({ site_id: site.id, name: 'Gate' })
          .select('id')
          .single()
          .throwOnError();
        return data.id;
      },
      async shift(day, hours, guard, post) {
        const [time, length] = HOURS[hours];
        const start = Date.parse(`${week}T${time}:00Z`) + day * 86_400_000;
        const { data } = await database
          .from('shifts')
          .insert({
            site_id: site.id,
            start_time: new Date(start).toISOString(),
            end_time: new Date(start + length * 3_600_000).toISOString(),
            ...(post && { post_id: post }),
          })
          .select('id')
          .single()
          .throwOnError();
        if (guard) {
          const change = { shift_id: data.id, user_id: guard.id, change: 'assign' };
          await database.rpc('apply_roster', { p_changes: [change] }).throwOnError();
        }
        return data.id;
      },
      async draft() {
        const { data } = await database
          .from('roster_changes')
          .select('user_id, shift_id, change')
          .eq('site_id', site.id)
          .throwOnError();
        return data;
      },
    });
    await database.from('shifts').delete().eq('site_id', site.id).throwOnError();
    await database.from('posts').delete().eq('site_id', site.id).throwOnError();
    await database.from('sites').delete().eq('id', site.id).throwOnError();
  },
});

/** The cell of a day (0 for Monday) at some hours. */
export const cell = (page: Page, hours: string, day: number): Locator =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: hours }) })
    .getByRole('gridcell')
    .nth(day);
export const DAY = '6 AM - 6 PM';
export const NIGHT = '6 PM - 6 AM';
export const LATE = '2 PM - 10 PM';

export async function openBoard(page: Page, plan: Plan) {
  await page.goto(plan.path);
  await expect(page.getByRole('grid', { name: 'Roster by post' })).toBeVisible();
}

export async function middleOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('The cell is not on screen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Holds the mouse over the target. */
export async function dragTo(page: Page, from: Locator, to: Locator) {
  // Waits until it stands still.
  await from.hover();
  const [start, end] = [await middleOf(from), await middleOf(to)];
  await page.mouse.down();
  await page.mouse.move(start.x + 12, start.y + 4, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 6 });
}

export const saved = (page: Page) => expect(page.getByText('Saving...')).toHaveCount(0);
