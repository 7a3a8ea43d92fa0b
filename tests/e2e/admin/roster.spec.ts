import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#shared/database.types.ts';
import { faultsOf } from '#tests/e2e/support/axe.ts';
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

async function guardOf(database: Client, name: 'guard' | 'guard2'): Promise<Guard> {
  const { data } = await database
    .from('profiles')
    .select('id, full_name')
    .eq('email', emailOf(name))
    .single()
    .throwOnError();
  return { id: data.id, name: data.full_name ?? '' };
}

const test = base.extend<{ plan: Plan }>({
  plan: async ({ databaseOf }, use, info) => {
    const database = await databaseOf('ops');
    // Tests of this file may run at the same time, with the same guards.
    const offset = (info.line % 200) * 7;
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
const cell = (page: Page, hours: string, day: number): Locator =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: hours }) })
    .getByRole('gridcell')
    .nth(day);
const DAY = '6 AM - 6 PM';
const NIGHT = '6 PM - 6 AM';
const LATE = '2 PM - 10 PM';

async function openBoard(page: Page, plan: Plan) {
  await page.goto(plan.path);
  await expect(page.getByRole('grid', { name: 'Roster by post' })).toBeVisible();
}

async function middleOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('The cell is not on screen.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Holds the mouse over the target. */
async function dragTo(page: Page, from: Locator, to: Locator) {
  const [start, end] = [await middleOf(from), await middleOf(to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(start.x + 12, start.y + 4, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 6 });
}

const saved = (page: Page) => expect(page.getByText('Saving...')).toBeHidden();

test('a gap is filled from the ranking, the engine fills the rest, and the week is published', async ({
  openAs,
  plan,
}) => {
  const { guards, database } = plan;
  const monday = await plan.shift(0, 'day');
  await plan.shift(1, 'day');
  await plan.shift(3, 'night');
  const page = await openAs('ops');
  await openBoard(page, plan);
  await expect(page.getByText('3 open', { exact: true }).first()).toBeVisible();

  await cell(page, DAY, 0).dblclick();
  const dialog = page.getByRole('dialog', { name: 'Fill this gap' });
  await expect(dialog.getByRole('list', { name: 'Guards, best first' })).toContainText(
    'left this week',
  );
  await dialog.getByLabel('Search guards').fill(guards[0].name);
  await dialog.getByRole('button', { name: `Assign ${guards[0].name}` }).click();
  await expect(cell(page, DAY, 0)).toHaveText(guards[0].name);
  await saved(page);
  expect(await plan.draft()).toEqual([
    { shift_id: monday, user_id: guards[0].id, change: 'assign' },
  ]);

  await page.getByRole('button', { name: `Undo: Assign ${guards[0].name}` }).click();
  await expect(cell(page, DAY, 0)).toHaveText('Open');
  await expect.poll(plan.draft).toEqual([]);
  await cell(page, DAY, 0).click();
  await page.keyboard.press('Control+Shift+z');
  await expect(cell(page, DAY, 0)).toHaveText(guards[0].name);

  await page.getByRole('button', { name: 'Fill', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Fill what is open' }).click();
  await expect(page.getByText('Fill: 2 assigned')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('✓ Nothing open')).toBeVisible();
  await expect.poll(async () => (await plan.draft()).length).toBe(3);
  // Guards see nothing of a draft.
  const before = await database.from('assignments').select('id').eq('shift_id', monday);
  expect(before.data).toEqual([]);

  await page.getByRole('button', { name: 'Publish' }).click();
  const publish = page.getByRole('dialog', { name: 'Publish the roster' });
  await expect(publish.getByRole('list', { name: 'Messages' })).toContainText(`New: ${plan.name}`);
  await publish.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Roster published')).toBeVisible();
  await expect(page.getByText('Published', { exact: true })).toBeVisible();
  expect(await plan.draft()).toEqual([]);
  const after = await database.from('assignments').select('user_id').eq('shift_id', monday);
  expect(after.data).toEqual([{ user_id: guards[0].id }]);
});

test('the mouse moves a guard, and a drop that breaks the rest is refused with its reason', async ({
  openAs,
  plan,
}) => {
  const [guard] = plan.guards;
  await plan.shift(0, 'day', guard);
  await plan.shift(0, 'night');
  const tuesday = await plan.shift(1, 'day');
  await plan.shift(2, 'day', guard);
  const page = await openAs('ops');
  await openBoard(page, plan);

  await dragTo(page, cell(page, DAY, 2), cell(page, NIGHT, 0));
  await expect(page.locator('#carried')).toContainText('0 h rest, 12 needed');
  await page.mouse.up();
  await expect(page.getByText(`${guard.name}: 0 h rest, 12 needed`)).toBeVisible();
  await expect(cell(page, NIGHT, 0)).toHaveText('Open');
  await expect(cell(page, DAY, 2)).toHaveText(guard.name);

  await dragTo(page, cell(page, DAY, 0), cell(page, DAY, 1));
  await expect(page.locator('#carried')).toContainText(`✓ Move ${guard.name}`);
  await page.mouse.up();
  await expect(cell(page, DAY, 1)).toHaveText(guard.name);
  await expect(cell(page, DAY, 0)).toHaveText('Open');
  await saved(page);
  await expect
    .poll(async () => (await plan.draft()).map(({ shift_id }) => shift_id))
    .toContain(tuesday);
  await page.reload();
  await expect(cell(page, DAY, 1)).toHaveText(guard.name);
});

test('a guard is dragged from the list beside the board, and a duty to another guard', async ({
  openAs,
  plan,
}) => {
  const [guard, other] = plan.guards;
  await plan.shift(0, 'day');
  await plan.shift(2, 'day', other);
  const page = await openAs('ops');
  await openBoard(page, plan);
  await page.getByRole('button', { name: 'List of guards' }).click();
  await cell(page, DAY, 0).click();
  const list = page.getByRole('complementary', { name: 'Guards to assign' });
  await list.getByLabel('Search guards').fill(guard.name);
  const place = await cell(page, DAY, 0).boundingBox();
  await dragTo(page, list.getByText(guard.name, { exact: true }), cell(page, DAY, 0));
  await expect(page.locator('#carried')).toContainText(`✓ Assign ${guard.name}`);
  // The board has not scrolled on the way in.
  expect(await cell(page, DAY, 0).boundingBox()).toEqual(place);
  await page.mouse.up();
  await expect(cell(page, DAY, 0)).toHaveText(guard.name);
  await saved(page);

  await page.getByRole('button', { name: 'Guards', exact: true }).click();
  await expect(page.getByRole('grid', { name: 'Roster by guard' })).toBeVisible();
  await dragTo(page, cell(page, guard.name, 0), cell(page, other.name, 0));
  await expect(page.locator('#carried')).toContainText(`✓ Assign ${other.name}`);
  await page.mouse.up();
  await expect(cell(page, other.name, 0)).toContainText(DAY);
  await expect(cell(page, guard.name, 0)).not.toContainText(DAY);
  await saved(page);
  expect((await plan.draft()).map(({ user_id }) => user_id)).toEqual([other.id, other.id]);
});

test('after a sick call, Repair replaces that guard alone, and the roster is printed', async ({
  openAs,
  databaseOf,
  plan,
}) => {
  const [sick, other] = plan.guards;
  const post = await plan.post();
  await plan.shift(0, 'day', sick, post);
  const night = await plan.shift(1, 'night', other, post);
  const own = await databaseOf('guard');
  const { data: leave } = await own
    .from('leave_requests')
    .insert({ start_date: plan.week, end_date: plan.week, type: 'sick', reason: 'Malaria' })
    .select('id')
    .single()
    .throwOnError();
  const decide = async (p_status: 'approved' | 'cancelled', p_note: string) =>
    (await databaseOf('hr'))
      .rpc('decide_leave', { p_id: leave.id, p_status, p_note })
      .throwOnError();
  await decide('approved', 'By telephone');
  const page = await openAs('ops');
  await openBoard(page, plan);
  await expect(cell(page, DAY, 0)).toHaveAccessibleName(/not allowed: On approved leave/);
  await page.getByRole('button', { name: 'Fill', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Repair with few changes' }).click();
  await expect(page.getByText('Repair: 1 assigned, 1 taken off')).toBeVisible({ timeout: 30_000 });
  await expect(cell(page, DAY, 0)).not.toHaveText(sick.name);
  await expect(cell(page, DAY, 0)).not.toHaveText('Open');
  await saved(page);
  const draft = await plan.draft();
  expect(draft).toHaveLength(2);
  expect(draft).toContainEqual({ shift_id: night, user_id: other.id, change: 'assign' });

  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const printed = page.getByRole('table').filter({ hasText: 'Gate' });
  await expect(printed).toBeVisible();
  await expect(printed).toContainText(other.name);
  await expect(page.getByRole('grid')).toBeHidden();
  await decide('cancelled', 'Back at work');
});

test('a rest of 8 hours is overridden with a reason', async ({ openAs, plan }) => {
  const [guard] = plan.guards;
  await plan.shift(0, 'late', guard);
  const tuesday = await plan.shift(1, 'day');
  const page = await openAs('ops');
  await openBoard(page, plan);
  await dragTo(page, cell(page, LATE, 0), cell(page, DAY, 1));
  // With Ctrl the guard also stays.
  await page.keyboard.down('Control');
  await expect(page.locator('#carried')).toContainText('8 h rest, 12 needed');
  await page.mouse.up();
  await page.keyboard.up('Control');
  const dialog = page.getByRole('dialog', { name: 'Assign against a rule?' });
  await dialog.getByRole('button', { name: 'Assign Anyway' }).click();
  await expect(dialog.getByText('Reason is required')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Nobody else knows the alarm system');
  await dialog.getByRole('button', { name: 'Assign Anyway' }).click();
  await expect(cell(page, DAY, 1)).toHaveText(guard.name);
  await expect
    .poll(async () => (await plan.draft()).map(({ shift_id }) => shift_id))
    .toContain(tuesday);
});

test('the keyboard moves, copies, pastes, removes and pins', async ({ openAs, plan }) => {
  const [guard] = plan.guards;
  await plan.shift(0, 'day', guard);
  for (const day of [1, 2, 3]) await plan.shift(day, 'day');
  const page = await openAs('ops');
  await openBoard(page, plan);
  await cell(page, DAY, 0).click();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText(`✓ Move ${guard.name}`)).toBeVisible();
  await page.keyboard.press('Space');
  await expect(cell(page, DAY, 1)).toHaveText(guard.name);
  await expect(cell(page, DAY, 0)).toHaveText('Open');
  await expect(cell(page, DAY, 1)).toBeFocused();

  await page.keyboard.press('Control+c');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Control+v');
  await expect(cell(page, DAY, 2)).toHaveText(guard.name);
  await page.keyboard.press('Shift+ArrowLeft');
  await expect(page.getByRole('gridcell', { selected: true })).toHaveCount(2);
  await page.keyboard.press('p');
  await expect(cell(page, DAY, 1)).toHaveAccessibleName(/pinned/);
  await page.keyboard.press('Delete');
  await expect(cell(page, DAY, 1)).toHaveText('Open');
  await expect(cell(page, DAY, 2)).toHaveText('Open');
  await page.keyboard.press('Control+z');
  await expect(cell(page, DAY, 2)).toHaveText(guard.name);
  await expect.poll(async () => (await plan.draft()).length).toBe(2);
  expect(await faultsOf(page)).toEqual([]);
});

test('a long press drags on a touch screen', async ({ openAs, plan }) => {
  const [guard] = plan.guards;
  await plan.shift(0, 'day', guard);
  await plan.shift(1, 'day');
  const page = await openAs('ops', { hasTouch: true, viewport: { width: 1024, height: 768 } });
  await openBoard(page, plan);
  const [from, to] = [await middleOf(cell(page, DAY, 0)), await middleOf(cell(page, DAY, 1))];
  const touch = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
  await send('touchStart', from);
  await expect(page.locator('#carried')).toContainText(guard.name);
  await send('touchMove', { x: (from.x + to.x) / 2, y: to.y });
  await send('touchMove', to);
  await expect(page.locator('#carried')).toContainText(`✓ Move ${guard.name}`);
  await send('touchEnd');
  await expect(cell(page, DAY, 1)).toHaveText(guard.name);
});

test('two planners see each other’s changes, and a conflict puts the cell back', async ({
  openAs,
  plan,
}) => {
  const [guard, other] = plan.guards;
  await plan.shift(0, 'day');
  await plan.shift(1, 'day');
  const [first, second] = [await openAs('ops'), await openAs('admin')];
  await openBoard(first, plan);
  await openBoard(second, plan);
  const assign = async (page: Page, day: number, name: string) => {
    await cell(page, DAY, day).dblclick();
    const dialog = page.getByRole('dialog', { name: 'Fill this gap' });
    await dialog.getByLabel('Search guards').fill(name);
    await dialog.getByRole('button', { name: `Assign ${name}` }).click();
  };
  await assign(first, 0, guard.name);
  await expect(cell(second, DAY, 0)).toHaveText(guard.name);

  // The second planner's board learns late that the seat is taken.
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await second.route('**/rpc/roster_state', async (route) => {
    await isReleased;
    await route.continue();
  });
  await assign(first, 1, guard.name);
  await saved(first);
  await assign(second, 1, other.name);
  await expect(second.getByText('This shift already has its guard')).toBeVisible();
  await expect(cell(second, DAY, 1)).toHaveText('Open');
  release();
  await expect(cell(second, DAY, 1)).toHaveText(guard.name);
  await expect(cell(first, DAY, 1)).toHaveText(guard.name);
});

test('on a phone a tap assigns, a day at a time', async ({ openAs, plan }) => {
  const [guard] = plan.guards;
  await plan.shift(0, 'day');
  const page = await openAs('ops', { viewport: { width: 360, height: 740 }, hasTouch: true });
  await page.goto(plan.path);
  await page.getByRole('button', { name: /^Open/ }).tap();
  const dialog = page.getByRole('dialog', { name: 'Fill this gap' });
  await dialog.getByLabel('Search guards').fill(guard.name);
  await dialog.getByRole('button', { name: `Assign ${guard.name}` }).tap();
  await expect(page.getByRole('button', { name: new RegExp(`^${guard.name}`) })).toBeVisible();
  await expect.poll(async () => (await plan.draft()).length).toBe(1);
});

test('the whole company’s next week is filled, published, and sent to its guards', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  test.setTimeout(180_000);
  const page = await openAs('ops');
  await page.goto('/admin/roster');
  await expect(page.getByRole('grid', { name: 'Roster by post' })).toBeVisible();
  await expect(page.getByText(/^[\d,]+ open$/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Fill', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Fill what is open' }).click();
  await expect(page.getByText(/^Fill: [\d,]+ assigned/)).toBeVisible({ timeout: 90_000 });
  await saved(page);
  const database = await databaseOf('ops');
  const guard = await guardOf(database, 'guard');
  const monday = new Date();
  monday.setUTCDate(monday.getUTCDate() + 7 - ((monday.getUTCDay() + 6) % 7));
  const [p_from = '', p_to = ''] = [0, 6].map((days) =>
    new Date(monday.getTime() + days * 86_400_000).toISOString().slice(0, 10),
  );
  const differences = async () =>
    (await database.rpc('roster_differences', { p_from, p_to }).throwOnError()).data;
  const before = await differences();
  expect(before.length).toBeGreaterThan(100);

  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish the roster' });
  await expect(dialog.getByText(/guards get a message about their shifts:$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Roster published')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Published', { exact: true })).toBeVisible();
  expect(await differences()).toEqual([]);
  const own = await databaseOf('guard');
  const { data: notices } = await own
    .from('notices')
    .select('body')
    .like('title', 'Your roster from%')
    .order('created_at', { ascending: false })
    .limit(1)
    .throwOnError();
  const message = before.find(({ user_id }) => user_id === guard.id)?.message;
  if (message) expect(notices).toEqual([{ body: message }]);
});
