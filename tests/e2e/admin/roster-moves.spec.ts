// Duties moved on the roster board by mouse, keyboard and touch.
import { faultsOf } from '#tests/e2e/support/axe.ts';
import {
  cell,
  DAY,
  dragTo,
  LATE,
  middleOf,
  NIGHT,
  openBoard,
  saved,
  test,
} from '#tests/e2e/support/roster-board.ts';
import { expect } from '#tests/e2e/support/test.ts';

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
  await expect(list.getByText(guard.name, { exact: true })).toBeVisible();
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
  await expect
    .poll(async () => (await plan.draft()).map(({ user_id }) => user_id))
    .toEqual([other.id, other.id]);
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
  // Stands still.
  await cell(page, DAY, 0).tap({ trial: true });
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

test('the week before is copied as a draft, within the rules, and Undo takes it back', async ({
  openAs,
  plan,
}) => {
  const { guards } = plan;
  const gate = await plan.post();
  await plan.shift(-7, 'day', guards[0], gate);
  await plan.shift(-7, 'night', guards[1], gate);
  const day = await plan.shift(0, 'day', undefined, gate);
  await plan.shift(0, 'night', undefined, gate);
  // Taken in the same hours, so that the rules forbid the copy.
  await plan.shift(0, 'night', guards[1]);
  const before = await plan.draft();
  const page = await openAs('ops');
  await openBoard(page, plan);
  await page.getByRole('button', { name: 'Fill', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy the week before...' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy the Week Before' });
  await expect(dialog.getByRole('status')).toHaveText('1 to copy, 1 can’t be');
  await expect(dialog.getByRole('listitem').filter({ hasText: guards[1].name })).toContainText(
    'Already on a shift',
  );
  await dialog.getByRole('button', { name: 'Copy 1 as Draft' }).click();
  await expect(page.getByText('1 copied as a draft')).toBeVisible();
  const copied = { shift_id: day, user_id: guards[0].id, change: 'assign' };
  await expect.poll(plan.draft).toHaveLength(before.length + 1);
  expect(await plan.draft()).toContainEqual(copied);
  await page.getByRole('button', { name: 'Undo: Copy the week before' }).click();
  await expect.poll(plan.draft).toHaveLength(before.length);
  expect(await plan.draft()).not.toContainEqual(copied);
});
