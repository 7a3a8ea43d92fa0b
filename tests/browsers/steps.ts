// What WebKit and Firefox must be able to do, in the same steps. Journeys with every case are in tests/e2e, with Chromium.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { guardOnShift } from '#tests/e2e/support/guard-on-shift.ts';
import { DEMO_PASSWORD, emailOf, visitor } from '#tests/e2e/support/people.ts';
import { service } from '#tests/e2e/support/service.ts';
import type { Driver, LaunchedBrowser } from './support/driver.ts';
import { button, field, link, type Page, pageOf, text } from './support/page.ts';
import { type PlannedWeek, planWeek } from './support/planned-week.ts';

const PICTURES = path.resolve(import.meta.dirname, '../../node_modules/.cache/browsers');
const PHONE = [360, 740] as const;
const DESK = [1280, 800] as const;
const tag = () => randomUUID().slice(0, 8);
const duty = (guard: string) => ({ role: 'gridcell', name: new RegExp(guard) });

/** @param server its address and its DATA_DIR */
export function describeSteps(
  name: string,
  server: { url: string; dataDir: string },
  launch: () => Promise<LaunchedBrowser>,
) {
  const { url, dataDir } = server;
  let browser: LaunchedBrowser | undefined;
  let open: Driver | undefined;
  let page: Page;

  /** A page of a browser that has never been here, closing the one before. */
  async function newPage([width, height]: readonly [number, number], at = url): Promise<Page> {
    await open?.close();
    open = undefined;
    if (!browser) throw new Error('There is no browser.');
    open = await browser.openPage();
    const page = pageOf(open, at);
    await page.resize(width, height);
    return page;
  }

  async function isDark() {
    const colour = await page.run(() => getComputedStyle(document.body).backgroundColor);
    const channels = colour.match(/[\d.]+/g)?.map(Number) ?? [];
    return Math.max(...channels.slice(0, 3)) < 80 ? undefined : `is not dark: ${colour}`;
  }

  /** At the width of a phone and of a desk nothing is wider than the window. */
  async function fitsEverywhere(page: Page) {
    for (const [width, height] of [DESK, PHONE]) {
      await page.resize(width, height);
      await page.fits();
    }
  }

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await open?.close();
    await browser?.close();
  });

  describe(name, () => {
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail' && open) {
        await mkdir(PICTURES, { recursive: true });
        const file = `${name}-${task.name.replace(/\W+/g, '-').slice(0, 60)}.png`;
        await writeFile(path.join(PICTURES, file), await open.screenshot());
      }
      expect(await open?.problems()).toEqual([]);
    });

    describe('a visitor', () => {
      test('sees the public page, which fits a phone and a desk', async () => {
        page = await newPage(PHONE);
        await page.open('/');
        await page.sees({ role: 'heading', name: /^Elite Protection/ });
        await fitsEverywhere(page);
      });

      test('sees what is missing in the form', async () => {
        await page.click(button('Request Consultation'));
        await page.sees(text('Validation Error'));
        await page.sees(text('Invalid email address'));
      });

      test('sends the form', async () => {
        const sender = `Ama ${tag()}`;
        await page.fill(field('Name'), sender);
        await page.fill(field('Email'), 'ama@example.com');
        await page.fill(field('Message'), 'We need two guards at our warehouse.');
        await page.click(button('Request Consultation'));
        await page.seesNo(text('Validation Error'));
        const database = await service(url, dataDir);
        await expect
          .poll(async () => {
            const stored = database.from('contact_messages').select('message').eq('name', sender);
            return (await stored.throwOnError()).data;
          })
          .toEqual([{ message: 'We need two guards at our warehouse.' }]);
      });
    });

    describe('the office', () => {
      let week: PlannedWeek;

      beforeAll(async () => {
        week = await planWeek(url);
      });
      afterAll(() => week.remove());

      test('signs in with the form, after a wrong password', async () => {
        page = await newPage(DESK);
        await page.open('/auth');
        await page.fill(field('Email'), emailOf('ops'));
        await page.fill(field('Password'), 'wrong');
        await page.click(button('Login'));
        await page.sees(text(/Invalid login credentials/i));
        await page.fill(field('Password'), DEMO_PASSWORD);
        await page.click(button('Login'));
        await page.sees(link('Roster'));
      });

      test('opens the roster and moves a guard by keyboard', async () => {
        await page.open(week.path);
        await page.click(duty(week.guard));
        await page.press('Space');
        await page.press('ArrowRight');
        await page.sees(text(`✓ Move ${week.guard}`));
        await page.press('Space');
        await expect.poll(week.drafted).toEqual([week.days.tuesday]);
      });

      test('moves the guard with the mouse', async () => {
        await page.seesNo(text('Saving...'));
        await page.drag(duty(week.guard), { role: 'gridcell', name: /Open/, nth: 1 }, '#carried');
        await expect.poll(week.drafted).toEqual([week.days.wednesday]);
      });

      test('sees a clock-in in the operations room without a reload', async () => {
        const guard = await guardOnShift(url, dataDir, -0.05, 7);
        const phone = await visitor(url);
        await phone.auth.setSession(guard.session);
        await page.open(`/admin/operations?q=${encodeURIComponent(guard.siteName)}`);
        await page.sees(text('Live'));
        await page.sees(button(/^\d.* to .*: 1 late$/));
        await phone
          .rpc('record_clock_event', {
            p_id: randomUUID(),
            p_kind: 'in',
            p_assignment_id: guard.assignmentId,
            p_device_at: new Date().toISOString(),
            p_gps: '6.3000,-10.8000',
          })
          .throwOnError();
        await page.sees(button(/^\d.* to .*: 1 on post$/));
      });

      test('looks dark when told to, also after a reload', async () => {
        await page.open('/admin/dashboard');
        await page.click(button('Colour theme'));
        await page.click({ role: 'menuitemradio', name: 'Dark' });
        await page.until('The page', isDark);
        await page.open('/admin/dashboard');
        await page.until('The page', isDark);
      });
    });
  });
}
