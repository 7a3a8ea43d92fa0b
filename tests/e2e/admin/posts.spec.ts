import { randomUUID } from 'node:crypto';
import type { Locator } from '@playwright/test';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { choose } from '#tests/e2e/support/choose.ts';
import { emailOf } from '#tests/e2e/support/people.ts';
import { test as base, expect } from '#tests/e2e/support/test.ts';

const DAY_MS = 86_400_000;
/** Counted from when the file is loaded, so that a test over midnight has one calendar. */
const begun = Date.now();
const dayIn = (days: number) => new Date(begun + days * DAY_MS).toISOString().slice(0, 10);

const test = base.extend<{ site: { id: string; name: string } }>({
  site: async ({ databaseOf }, use) => {
    const database = await databaseOf('ops');
    const name = `Quay ${randomUUID().slice(0, 8)}`;
    const { data: site } = await database
      .from('sites')
      .insert({ name, client_name: 'Harbour', address: 'Freeport' })
      .select('id')
      .single()
      .throwOnError();
    await use({ id: site.id, name });
    await database.from('posts').delete().eq('site_id', site.id).throwOnError();
    await database.from('shifts').delete().eq('site_id', site.id).throwOnError();
    await database.from('sites').delete().eq('id', site.id).throwOnError();
  },
});

async function boxOf(row: Locator) {
  const box = await row.boundingBox();
  if (!box) throw new Error('There is no row.');
  return box;
}

const figure = (dialog: Locator, label: string) =>
  dialog
    .getByRole('complementary', { name: 'What this takes' })
    .locator('div')
    .filter({ has: dialog.page().getByText(label, { exact: true }) })
    .getByRole('status');

test('a 24/7 post: what it takes, its shifts, and a change of contract that says what it removes', async ({
  openAs,
  databaseOf,
  site,
}) => {
  const database = await databaseOf('ops');
  const page = await openAs('ops');
  await page.goto('/admin/sites');
  await page.getByRole('searchbox').fill(site.name);
  await page.getByRole('link', { name: `Posts of ${site.name}` }).click();
  await expect(page.getByRole('heading', { name: 'Posts', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Add Post' }).click();
  const dialog = page.getByRole('dialog');
  // The site comes from the list.
  await dialog.getByLabel('Name', { exact: true }).fill('Main Gate');
  await dialog.getByLabel('From', { exact: true }).fill(dayIn(1));
  await expect(dialog.getByLabel('Pattern')).toHaveValue('day_and_night_12');
  await expect(figure(dialog, 'Hours a week')).toHaveText('168');
  await expect(figure(dialog, 'Guards needed')).toHaveText('3.9');
  await expect(
    dialog
      .getByRole('listitem')
      .filter({ hasText: 'four on, two off: averages 56 h a week: over the limit of 53 h' }),
  ).toHaveCount(2);
  await dialog.getByLabel('Guards at a time').fill('2');
  await expect(figure(dialog, 'Hours a week')).toHaveText('336');
  await dialog.getByRole('button', { name: 'Add Post' }).click();
  await expect(page.getByText('Post added successfully')).toBeVisible();
  await expect(page.getByText('84 shifts made')).toBeVisible();

  const { data: shifts } = await database
    .from('shifts')
    .select('id, start_time, required_headcount')
    .eq('site_id', site.id)
    .order('start_time')
    .throwOnError();
  expect(shifts).toHaveLength(84);
  expect(new Set(shifts.map(({ required_headcount }) => required_headcount))).toEqual(new Set([2]));
  const { data: guard } = await database
    .from('profiles')
    .select('id, full_name')
    .eq('email', emailOf('guard'))
    .single()
    .throwOnError();
  // A night far ahead, when the guard has no other shift.
  const night = shifts.find(({ start_time }) => start_time.startsWith(`${dayIn(30)}T18`));
  await database
    .from('assignments')
    .insert({ shift_id: night?.id ?? '', user_id: guard.id })
    .throwOnError();

  await page.getByRole('button', { name: `Edit Main Gate, ${site.name}` }).click();
  await dialog.getByLabel('From', { exact: true }).fill(dayIn(20));
  await dialog.getByLabel('Pattern').selectOption('weekdays');
  await expect(figure(dialog, 'Hours a week')).toHaveText('90');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  const question = page.getByRole('dialog', { name: 'Remove 46 shifts?' });
  await expect(question).toContainText(
    'One guard is assigned to some of them, and will get a notice.',
  );
  await expect(question.getByRole('listitem').first()).toContainText(guard.full_name ?? '');
  expect(await faultsOf(page)).toEqual([]);
  await question.getByRole('button', { name: 'Keep Editing' }).click();
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await question.getByRole('button', { name: 'Save and Remove' }).click();
  await expect(page.getByText('Post updated successfully')).toBeVisible();
  const { data: versions } = await database
    .from('post_requirements')
    .select('preset, valid_from, valid_to')
    .eq('site_id', site.id)
    .order('valid_from')
    .throwOnError();
  expect(versions).toEqual([
    { preset: 'day_and_night_12', valid_from: dayIn(1), valid_to: dayIn(19) },
    { preset: 'weekdays', valid_from: dayIn(20), valid_to: null },
  ]);
});

test('a cycle is drawn with the keyboard, and with the mouse', async ({
  openAs,
  databaseOf,
  site,
}) => {
  const page = await openAs('ops');
  await page.goto('/admin/roster/posts?open=new');
  const dialog = page.getByRole('dialog', { name: 'Add Post' });
  await choose(dialog.getByLabel('Site', { exact: true }), site.name);
  await dialog.getByLabel('Name', { exact: true }).fill('Patrol');
  await dialog.getByLabel('From', { exact: true }).fill(dayIn(2));
  await dialog.getByLabel('Days of the cycle').fill('6');
  const cycle = dialog.getByRole('group', { name: 'Cycle' });
  const slots = cycle.getByRole('button', { name: /to .* guards?$/ });
  await expect(slots).toHaveCount(2);
  await slots.first().focus();
  await page.keyboard.press('Delete');
  await expect(slots).toHaveCount(1);
  // The night: an hour later, an hour shorter, one guard more, on the second day.
  await slots.first().focus();
  for (const key of [
    'ArrowRight',
    'ArrowRight',
    'Shift+ArrowLeft',
    'Shift+ArrowLeft',
    '+',
    'ArrowDown',
  ]) {
    await page.keyboard.press(key);
  }
  await expect(slots.first()).toHaveAccessibleName(/^Day 2, .*, 19:00 to 06:00, 2 guards$/);
  await expect(slots.first()).toBeFocused();
  await cycle.getByRole('button', { name: /^Add a slot on Day 4/ }).focus();
  await page.keyboard.press('Enter');
  await expect(slots).toHaveCount(2);
  await expect(slots.nth(1)).toBeFocused();

  const row = cycle.locator('[data-day="5"]');
  // Away from the buttons that stay at the bottom of the dialog.
  await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const drag = async (from: number, to: number) => {
    // Stands still, and is where it is now: the figures beside it come a moment later.
    await row.click({ trial: true });
    const box = await boxOf(row);
    const at = (hour: number) => box.x + (box.width * hour) / 24;
    const y = box.y + box.height / 2;
    await page.mouse.move(at(from), y);
    await page.mouse.down();
    await page.mouse.move(at(to), y, { steps: 4 });
    await page.mouse.up();
  };
  await drag(8, 12);
  await expect(slots.nth(2)).toHaveAccessibleName(/^Day 6, .*, 08:00 to 12:00, 1 guard$/);
  await drag(9, 11);
  await expect(slots.nth(2)).toHaveAccessibleName(/10:00 to 14:00/);
  // The table shows the same slots.
  await expect(dialog.getByRole('list', { name: 'Slots' }).getByRole('listitem')).toHaveCount(3);
  await expect(dialog.getByLabel('Pattern')).toHaveValue('drawn');
  await dialog.getByRole('button', { name: 'Add Post' }).press('Enter');
  await expect(page.getByText('Post added successfully')).toBeVisible();
  const database = await databaseOf('ops');
  const { data } = await database
    .from('post_requirements')
    .select('cycle_days, slots')
    .eq('site_id', site.id)
    .single()
    .throwOnError();
  expect(data).toMatchObject({
    cycle_days: 6,
    slots: [
      { day: 1, start: '19:00', minutes: 660, headcount: 2 },
      { day: 3, start: '06:00', minutes: 720, headcount: 1 },
      { day: 5, start: '10:00', minutes: 240, headcount: 1 },
    ],
  });
});

test('a cycle is drawn and moved with a finger', async ({ openAs, site }) => {
  const page = await openAs('ops', { hasTouch: true, viewport: { width: 1024, height: 768 } });
  await page.goto('/admin/roster/posts?open=new');
  const dialog = page.getByRole('dialog', { name: 'Add Post' });
  await choose(dialog.getByLabel('Site', { exact: true }), site.name);
  await dialog.getByLabel('Days of the cycle').fill('2');
  const cycle = dialog.getByRole('group', { name: 'Cycle' });
  const slots = cycle.getByRole('button', { name: /to .* guards?$/ });
  await slots.first().focus();
  await page.keyboard.press('Delete');
  await expect(slots).toHaveCount(1);
  const row = cycle.locator('[data-day="1"]');
  await row.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const touch = await page.context().newCDPSession(page);
  const drag = async (from: number, to: number) => {
    await row.click({ trial: true });
    const box = await boxOf(row);
    const y = box.y + box.height / 2;
    const at = (hour: number) => [{ x: box.x + (box.width * hour) / 24, y }];
    const send = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      touchPoints: { x: number; y: number }[],
    ) => touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    await send('touchStart', at(from));
    for (let step = 1; step <= 4; step += 1) {
      await send('touchMove', at(from + ((to - from) * step) / 4));
    }
    await send('touchEnd', []);
  };
  await drag(8, 12);
  await expect(slots.nth(1)).toHaveAccessibleName(/^Day 2, .*, 08:00 to 12:00, 1 guard$/);
  await drag(9, 11);
  await expect(slots.nth(1)).toHaveAccessibleName(/10:00 to 14:00/);
  // A slow phone may report where the finger is only when it leaves the screen.
  const { x, y, width } = await boxOf(slots.nth(1));
  const at = { bubbles: true, pointerId: 1, clientX: x, clientY: y };
  await slots.nth(1).dispatchEvent('pointerdown', at);
  await cycle.dispatchEvent('pointerup', { ...at, clientX: x + width / 2 });
  await expect(slots.nth(1)).toHaveAccessibleName(/12:00 to 16:00/);
});
