import type { Page } from '@playwright/test';
import { hold } from '#tests/e2e/support/gate.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import {
  cell,
  DAY,
  guardOf,
  NIGHT,
  openBoard,
  saved,
  test,
} from '#tests/e2e/support/roster-board.ts';
import { expect } from '#tests/e2e/support/test.ts';

test('a gap is filled from the ranking, the engine fills the rest, and the week is published', {
  tag: '@everyday',
}, async ({ openAs, plan }) => {
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
  await expect
    .poll(plan.draft)
    .toEqual([{ shift_id: monday, user_id: guards[0].id, change: 'assign' }]);

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

test('an open seat says why nobody has it, and who asks for it; a confirmed one is marked', async ({
  openAs,
  databaseOf,
  dataDir,
  plan,
}) => {
  const [guard] = plan.guards;
  const { database } = plan;
  const shift = await plan.shift(0, 'day');
  const { data: published } = await database
    .from('assignments')
    .insert({ shift_id: shift, user_id: guard.id })
    .select('id')
    .single()
    .throwOnError();
  const asked = await plan.shift(2, 'day');
  const phone = await databaseOf('guard');
  const page = await openAs('ops');
  await openBoard(page, plan);
  const [first, second] = [cell(page, DAY, 0), cell(page, DAY, 2)];
  await expect(second).toHaveText('Open');
  // While the board is open.
  await phone
    .rpc('answer_assignment', { p_assignment_id: published.id, p_answer: 'confirm' })
    .throwOnError();
  // The plan is years ahead, where guards can't ask yet.
  await ask(
    dataDir,
    `insert into offers (kind, shift_id, user_id, status, site_id)
     select 'bid', id, $2, 'open', site_id from shifts where id = $1`,
    [asked, guard.id],
  );
  await expect(first).toHaveAccessibleName(/confirmed by the guard/);
  await expect(second).toHaveText('1 bid');
  await second.dblclick();
  const dialog = page.getByRole('dialog', { name: 'Fill this gap' });
  const candidates = dialog.getByRole('list', { name: 'Guards, best first' });
  await expect(candidates.getByRole('listitem').first()).toContainText('Asks for this shift');
  await expect(candidates.getByRole('listitem').first()).toContainText(guard.name);
  await page.keyboard.press('Escape');

  // A course that nobody has.
  const admin = await databaseOf('admin');
  const title = `Course ${plan.name}`;
  const { data: course } = await admin
    .from('training_courses')
    .insert({ title })
    .select('id')
    .single()
    .throwOnError();
  const post = await plan.post();
  await database
    .from('post_courses')
    .insert({ post_id: post, course_id: course.id })
    .throwOnError();
  await plan.shift(4, 'night', undefined, post);
  const lacking = cell(page, NIGHT, 4);
  await expect(lacking).toHaveText('Open');
  await page.getByRole('button', { name: 'Fill', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Fill what is open' }).click();
  await expect(page.getByRole('button', { name: 'Why open?' })).toBeVisible({ timeout: 30_000 });
  const reason = `There is no guard with ${title}`;
  await expect(lacking).toHaveAccessibleName(new RegExp(reason));
  await lacking.dblclick();
  await expect(dialog.getByRole('status')).toHaveText(reason);
});

test('Shifts says whom the draft plans, and no more once the draft is dropped', async ({
  openAs,
  plan,
}) => {
  const [guard] = plan.guards;
  const shift = await plan.shift(2, 'day', guard);
  const page = await openAs('dispatcher');
  await page.goto(`/admin/shifts?q=${encodeURIComponent(plan.name)}`);
  const row = page.getByRole('row').filter({ hasText: plan.name });
  await expect(row).toContainText(`planned: ${guard.name}, draft`);
  await expect(row).toContainText('0/1');
  const dropped = { shift_id: shift, user_id: guard.id, change: 'reset' };
  await plan.database.rpc('apply_roster', { p_changes: [dropped] }).throwOnError();
  await expect(row).not.toContainText('draft');
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
  await expect.poll(plan.draft).toHaveLength(2);
  expect(await plan.draft()).toContainEqual({
    shift_id: night,
    user_id: other.id,
    change: 'assign',
  });

  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const printed = page.getByRole('table').filter({ hasText: 'Gate' });
  await expect(printed).toBeVisible();
  await expect(printed).toContainText(other.name);
  await expect(page.getByRole('grid')).toBeHidden();
  await decide('cancelled', 'Back at work');
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

  // The second planner's board learns late that the seat is taken, also when a shift elsewhere reloads all of it.
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await second.route(/\/rpc\/roster_(state|input)/, async (route) => {
    await isReleased;
    await route.continue();
  });
  await assign(first, 1, guard.name);
  await expect.poll(plan.draft).toHaveLength(2);
  await assign(second, 1, other.name);
  await expect(second.getByText('This shift already has its guard')).toBeVisible();
  await expect(cell(second, DAY, 1)).toHaveText('Open');
  release();
  await expect(cell(second, DAY, 1)).toHaveText(guard.name);
  await expect(cell(first, DAY, 1)).toHaveText(guard.name);
});

test('a planner who comes back does not find the roster from before their edits', async ({
  openAs,
  plan,
}) => {
  const [guard] = plan.guards;
  await plan.shift(0, 'day', guard);
  const page = await openAs('ops');
  await openBoard(page, plan);
  await expect(cell(page, DAY, 0)).toHaveText(guard.name);
  await cell(page, DAY, 0).click();
  await page.keyboard.press('Delete');
  await expect.poll(plan.draft).toEqual([]);
  await page.locator('#sidebar').getByRole('link', { name: 'Sites', exact: true }).click();
  await expect(page.locator('main tbody tr').first()).toBeVisible();

  const open = await hold(page, /\/rpc\/roster_(board|first_sites|state)/);
  await page.goBack();
  await expect(page.getByText('Loading the roster...')).toBeVisible();
  open();
  await expect(cell(page, DAY, 0)).toHaveText('Open');
  await page.unrouteAll({ behavior: 'wait' });
});

test('a long name of a site pushes nothing out of sight', async ({ openAs, plan }) => {
  await plan.shift(0, 'day');
  const long = plan.name.replace(' ', '') + 'W'.repeat(80);
  await plan.database.from('sites').update({ name: long }).eq('name', plan.name).throwOnError();
  const page = await openAs('ops', { viewport: { width: 1280, height: 800 } });
  await openBoard(page, plan);
  const fill = page.getByRole('grid').getByText('1 open · Fill');
  await expect(fill).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('paragraph').filter({ hasText: long })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
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

test('on a phone each day shows its open seats, and Only gaps opens the first day that has one', async ({
  openAs,
  plan,
}) => {
  const [guard] = plan.guards;
  await plan.shift(2, 'day');
  await plan.shift(4, 'day');
  await plan.shift(4, 'night');
  const page = await openAs('ops', { viewport: { width: 360, height: 740 }, hasTouch: true });
  await page.goto(plan.path);
  const days = page.getByRole('group', { name: 'Day', exact: true }).getByRole('button');
  await expect(days.nth(0)).toHaveAttribute('aria-pressed', 'true');
  await expect(days.nth(2)).toHaveText(/1 open$/);
  await expect(days.nth(4)).toHaveText(/2 open$/);
  await page.goto(`${plan.path}&gaps=open`);
  await expect(days.nth(2)).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: /^Open/ }).tap();
  const dialog = page.getByRole('dialog', { name: 'Fill this gap' });
  await dialog.getByLabel('Search guards').fill(guard.name);
  await dialog.getByRole('button', { name: `Assign ${guard.name}` }).tap();
  // The filled seat moves nobody to another day.
  await expect(days.nth(2)).not.toHaveText(/open/);
  await expect(days.nth(2)).toHaveAttribute('aria-pressed', 'true');
});

test('the whole company’s next week is filled, published, and sent to its guards', {
  tag: '@long',
}, async ({ openAs, databaseOf }) => {
  test.setTimeout(180_000);
  const monday = new Date();
  monday.setUTCDate(monday.getUTCDate() + 7 - ((monday.getUTCDay() + 6) % 7));
  const [p_from = '', p_to = ''] = [0, 6].map((days) =>
    new Date(monday.getTime() + days * 86_400_000).toISOString().slice(0, 10),
  );
  const page = await openAs('ops');
  // Named, because on a Sunday at midnight the next week becomes this week.
  await page.goto(`/admin/roster?week=${p_from}`);
  await expect(page.getByRole('grid', { name: 'Roster by post' })).toBeVisible();
  await expect(page.getByText(/^[\d,]+ open$/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Fill', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Fill what is open' }).click();
  await expect(page.getByText(/^Fill: [\d,]+ assigned/)).toBeVisible({ timeout: 90_000 });
  const database = await databaseOf('ops');
  const guard = await guardOf(database, 'guard');
  const differences = async () =>
    (await database.rpc('roster_differences', { p_from, p_to }).throwOnError()).data;
  await expect.poll(async () => (await differences()).length).toBeGreaterThan(100);
  await saved(page);
  const before = await differences();

  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish the roster' });
  await expect(dialog.getByText(/guards get a message about their shifts:$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Roster published')).toBeVisible({ timeout: 60_000 });
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
