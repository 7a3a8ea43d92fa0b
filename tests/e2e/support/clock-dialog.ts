import type { Locator, Page } from '@playwright/test';
import type { GuardOnShift } from '#tests/e2e/support/guard-on-shift.ts';
import { type RoughLine, roughLine } from '#tests/e2e/support/rough-line.ts';
import { expect, test as plain } from '#tests/e2e/support/test.ts';

export const HOUR_MS = 3_600_000;
export const WAITS = / — waiting to send$/;
/** A time on screen, for regular expressions: around midnight it may be on another day and have its date. */
export const TIME = String.raw`([A-Z][a-z]{2} \d+, )?\d+:\d\d [AP]M`;

export const test = plain.extend<{ line: RoughLine }>({
  line: async ({ url }, use) => {
    const line = await roughLine(url, /rpc\/record_clock_event/);
    await use(line);
    await line.close();
  },
});

/** The card on the home screen of the staff portal. */
export const dutyCard = (page: Page) => page.getByRole('region', { name: 'On duty' });
export const status = (page: Page) => page.getByRole('dialog').getByRole('status').first();
export const button = (page: Page, name: 'Clock In' | 'Clock Out') =>
  page.getByRole('button', { name, exact: true });

export const question = (page: Page) =>
  page.getByRole('dialog', { name: / left\. Clock out now\?$/ });

/** Taps the element's current position. @returns a function that taps the same position again */
export async function tap(page: Page, control: Locator) {
  const box = await control.boundingBox();
  if (!box) throw new Error('There is nothing to tap.');
  const again = () => page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await again();
  return again;
}

/** Clocks out early, with a reason. */
export async function clockOutEarly(page: Page) {
  await button(page, 'Clock Out').click();
  await question(page).getByRole('button', { name: 'My relief is here' }).click();
  await question(page).getByRole('button', { name: 'Clock Out' }).click();
}

/** Closes the dialog after an event and opens it again. */
export async function openAgain(page: Page) {
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Clock In/Out' }).click();
}

/** Visible in the viewport and not covered by the toast. */
export async function expectUncovered(page: Page, control: Locator) {
  const toast = await page.locator('[data-sonner-toast]').boundingBox();
  const box = await control.boundingBox();
  if (!toast || !box) throw new Error('There is no toast, or no control.');
  expect(box.y >= toast.y + toast.height || box.y + box.height <= toast.y).toBe(true);
  await expect(control).toBeInViewport({ ratio: 1 });
}

/** A summary of the stored rows. */
export async function expectStored(
  guard: Pick<GuardOnShift, 'stored'>,
  events: string[],
  closed: boolean[],
) {
  await expect
    .poll(async () => (await guard.stored()).events.map(({ kind }) => kind))
    .toEqual(events);
  const { records } = await guard.stored();
  expect(records.map(({ clock_out_at }) => clock_out_at !== null)).toEqual(closed);
}
