// On every screen of the guard: what was just pressed is never replaced, under the thumb, by what takes it back.
import type { Locator, Page } from '@playwright/test';
import { type GuardOnShift, guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** Names of actions that take another one back. */
const OPPOSITE =
  /undo|withdraw|false alarm|not here|clock(ed)? out|by mistake|after all|decline|discard|^ask for|^confirm(?!ed)/i;

/** Thumbs tap again for up to this long; the rest of the five seconds is a label that needs no second look. */
const LOOKED_AT_MS = 1_500;

/**
 * Presses with a finger and looks at what is under it from then on.
 * @returns names of enabled controls there that take the action back
 */
async function oppositesUnder(page: Page, control: Locator): Promise<string[]> {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) throw new Error('There is nothing to press.');
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const pressed = await control.evaluate(
    (element) => element.getAttribute('aria-label') ?? element.textContent,
  );
  await page.touchscreen.tap(at.x, at.y);
  const names = await page.evaluate(
    ({ x, y, ms }) =>
      new Promise<string[]>((resolve) => {
        const found = new Set<string>();
        const until = performance.now() + ms;
        const look = () => {
          const on = document.elementFromPoint(x, y)?.closest('button, a');
          const isOff = on?.matches(':disabled, [aria-disabled="true"]');
          if (on && !isOff) found.add(on.getAttribute('aria-label') ?? on.textContent ?? '');
          if (performance.now() < until) requestAnimationFrame(look);
          else resolve([...found]);
        };
        look();
      }),
    { ...at, ms: LOOKED_AT_MS },
  );
  // As a thumb does that is not sure.
  await page.touchscreen.tap(at.x, at.y);
  return names.filter((name) => name !== pressed && OPPOSITE.test(name));
}

type Scene = {
  name: string;
  path: string;
  /** @returns what is pressed, in order */
  press: (page: Page, guard: GuardOnShift) => Locator[];
  /** Hours from now at which the shift begins. */
  from?: number;
  prepare?: (guard: GuardOnShift, dataDir: string, url: string) => Promise<unknown>;
  stored: (guard: GuardOnShift, dataDir: string) => Promise<unknown>;
  expected: unknown;
};

const SCENES: Scene[] = [
  {
    name: 'confirm a shift',
    path: '/staff/shifts',
    from: 30,
    press: (page) => [page.getByRole('button', { name: /^Confirm, / })],
    stored: ({ assignmentId }, dataDir) =>
      ask(dataDir, 'select status from assignments where id = $1', [assignmentId]),
    expected: [{ status: 'confirmed' }],
  },
  {
    name: 'confirm on the home screen',
    path: '/staff',
    from: 30,
    press: (page) => [page.getByRole('button', { name: /^Confirm, / }).first()],
    stored: ({ assignmentId }, dataDir) =>
      ask(dataDir, 'select status from assignments where id = $1', [assignmentId]),
    expected: [{ status: 'confirmed' }],
  },
  {
    name: 'undo a confirmation',
    path: '/staff/shifts',
    from: 30,
    prepare: ({ assignmentId }, dataDir) =>
      ask(dataDir, `update assignments set status = 'confirmed' where id = $1`, [assignmentId]),
    press: (page) => [page.getByRole('button', { name: /^Undo confirmation, / })],
    stored: ({ assignmentId }, dataDir) =>
      ask(dataDir, 'select status from assignments where id = $1', [assignmentId]),
    expected: [{ status: 'assigned' }],
  },
  {
    name: 'clock in',
    path: '/staff',
    press: (page) => [page.getByRole('button', { name: /^Clock in at / })],
    stored: async (guard) => (await guard.stored()).events.map(({ kind }) => kind),
    expected: ['in'],
  },
  {
    name: 'ask for an open shift',
    path: '/staff/open-shifts',
    from: 30,
    prepare: ({ session, siteId }, dataDir) =>
      ask(
        dataDir,
        // They live at the site, so that its shift is the first of the list.
        `with guard as (insert into user_roles (user_id, role) values ($2, 'guard') returning user_id),
           home as (update profiles set home_position = '6.3,-10.8' where id = $2)
         insert into shifts (site_id, start_time, end_time)
         values ($1, now() + interval '60 hours', now() + interval '68 hours')`,
        [siteId, session.user.id],
      ),
    press: (page, { siteName }) => [
      page.getByRole('button', { name: new RegExp(`^Ask for this shift, ${siteName}`) }),
    ],
    stored: ({ session }, dataDir) =>
      ask(dataDir, 'select status from offers where user_id = $1', [session.user.id]),
    expected: [{ status: 'open' }],
  },
];

for (const { name, path, press, from, prepare, stored, expected } of SCENES) {
  test(`${name}: a second tap takes nothing back`, async ({ browser, url, dataDir }) => {
    const guard = await guardOnShift(url, dataDir, from, from === undefined ? undefined : from + 8);
    await prepare?.(guard, dataDir, url);
    const page = await newPhone(browser, url, guard, { hasTouch: true, isMobile: true });
    await page.goto(path);
    for (const control of press(page, guard)) {
      expect(await oppositesUnder(page, control)).toEqual([]);
    }
    await expect.poll(() => stored(guard, dataDir)).toEqual(expected);
    await page.context().close();
  });
}

test('an SOS is not called a false alarm by the thumb that sent it', async ({
  browser,
  url,
  dataDir,
}) => {
  const guard = await guardOnShift(url, dataDir);
  const page = await newPhone(browser, url, guard);
  await page.goto('/staff');
  await page.getByRole('button', { name: 'SOS' }).hover();
  await page.mouse.down();
  const dead = page.getByRole('button', { name: /^False alarm/ }).first();
  await expect(dead).toHaveAttribute('aria-disabled', 'true');
  await page.mouse.up();
  await expect(dead).not.toHaveAttribute('aria-disabled', /./, { timeout: 8_000 });
  await page.context().close();
});
