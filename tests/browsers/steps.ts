// What WebKit and Firefox must be able to do, in the same steps. Journeys with every case are in tests/e2e, with Chromium.
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Session } from '@supabase/supabase-js';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GuardOnShift, guardOnShift } from '#tests/e2e/support/guard-on-shift.ts';
import { ask } from '#tests/e2e/support/owner.ts';
import {
  DEMO_PASSWORD,
  type DemoName,
  emailOf,
  member,
  visitor,
} from '#tests/e2e/support/people.ts';
import { service } from '#tests/e2e/support/service.ts';
import type { Driver, LaunchedBrowser } from './support/driver.ts';
import { type Line, openLine } from './support/offline.ts';
import { button, field, link, type Page, pageOf, text } from './support/page.ts';
import { type PlannedWeek, planWeek } from './support/planned-week.ts';

const PICTURES = path.resolve(import.meta.dirname, '../../node_modules/.cache/browsers');
const PHONE = [360, 740] as const;
const DESK = [1280, 800] as const;
const PIN = '4071';
const DAY_MS = 86_400_000;
/** What a browser reports of requests while the network is cut. */
const NO_NETWORK =
  /Load failed|NetworkError|can’t establish a connection|was interrupted while|no-response/;
/** Firefox reports fonts and files that it no longer needs, because the next page was opened. Each step sees its screen. */
const ABORTED =
  /downloadable font: download failed|error loading dynamically imported module|ServiceWorker intercepted the request/;
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
  let line: Line;
  let files: string;
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

  /** @throws with the errors of the page since it was last asked, except what is expected */
  async function reportProblems(isExpected: (problem: string) => boolean = () => false) {
    const problems = ((await open?.problems()) ?? []).filter(
      (problem) => !ABORTED.test(problem) && !isExpected(problem),
    );
    // Not `expect`, which shortens them.
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  async function signedIn(page: Page, session: Session, at: string) {
    await page.open('/robots.txt');
    await page.run(
      (stored: string) => localStorage.setItem('sb-127-auth-token', stored),
      JSON.stringify(session),
    );
    await page.open(at);
  }

  async function pageAs(who: DemoName, at: string, size: readonly [number, number]) {
    const page = await newPage(size);
    await signedIn(page, (await member(url, who)).session, at);
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
    [browser, line, files] = await Promise.all([
      launch(),
      openLine(url),
      mkdtemp(path.join(tmpdir(), 'statesman-files-')),
    ]);
  });
  afterAll(async () => {
    await open?.close();
    await browser?.close();
    await line.cut();
    await rm(files, { recursive: true, force: true });
  });

  describe(name, () => {
    afterEach(async ({ task }) => {
      if (task.result?.state === 'fail' && open) {
        await mkdir(PICTURES, { recursive: true });
        const file = `${name}-${task.name.replace(/\W+/g, '-').slice(0, 60)}.png`;
        await writeFile(path.join(PICTURES, file), await open.screenshot());
      }
      await reportProblems();
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

      test.each([
        '/admin',
        '/admin/dashboard',
        '/admin/operations',
        '/admin/roster',
        '/admin/shifts?day=today',
        '/admin/incidents',
        '/admin/clients',
        '/admin/people',
        '/admin/timesheets',
      ])('fits a phone and a desk: %s', async (path) => {
        await page.open(path);
        await page.sees({ role: 'main', name: /\w{3}/ });
        await page.seesNo({ role: 'status', name: /Loading/ });
        await fitsEverywhere(page);
      });

      test('opens a pay run', async () => {
        page = await pageAs('finance', '/admin/payruns', DESK);
        await page.click(link(/\b\d{4}$/));
        await page.sees(text(/^Net/));
        await page.sees({ role: 'table', name: 'Payslips' });
        await fitsEverywhere(page);
      });

      test('chooses the month of a return', async () => {
        await page.open('/admin/payroll/returns');
        const month = new Date(Date.now() - 100 * DAY_MS).toISOString().slice(0, 7);
        await page.choose({ role: 'combobox', name: 'Month' }, month);
        await page.until('The address', async () => {
          const search = await page.run(() => location.search);
          return search.includes(month) ? undefined : `is still ${search}`;
        });
        await page.fits();
      });
    });

    describe('a guard on a phone', () => {
      let guard: GuardOnShift;
      const photoFile = () => path.join(files, 'fence.jpg');

      test('clocks in without a network, also after the page is opened again', async () => {
        guard = await guardOnShift(url, dataDir);
        page = await newPage(PHONE, line.url);
        await signedIn(page, guard.session, '/staff');
        await page.run(() => navigator.serviceWorker.ready.then(() => true));
        await page.click(button(/^Clock In.Out/));
        await page.sees(button('Clock In'));
        await line.cut();
        await page.click(button('Clock In'));
        await page.sees(text(/Clocked in at .* — waiting to send$/));
        expect((await guard.stored()).events).toEqual([]);
        await page.open('/staff');
        await page.sees(text('You are clocked in'));
        await page.sees(text(/1 waiting to send/));
        await page.fits();
        await reportProblems((problem) => NO_NETWORK.test(problem));
      });

      test('and the event arrives once when there is a network again', async () => {
        await line.mend();
        await page.run(() => dispatchEvent(new Event('online')));
        await page.seesNo(text(/waiting to send/));
        const { events, records } = await guard.stored();
        expect(events.map(({ kind }) => kind)).toEqual(['in']);
        expect(records).toHaveLength(1);
        // The socket may report the cut only now.
        await reportProblems((problem) => NO_NETWORK.test(problem));
      });

      test('reports an incident with a photo', async () => {
        const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const;
        const size = { width: 2400, height: 1800, channels: 3 } as const;
        await sharp({ create: { ...size, background: '#345', noise } })
          .jpeg()
          .toFile(photoFile());
        const title = `Fence cut ${tag()}`;
        await page.open('/staff');
        // Of the page before.
        await reportProblems((problem) => NO_NETWORK.test(problem));
        await page.click(button(/^Report Incident/));
        await page.click(button('Site'));
        await page.click({ role: 'option' });
        await page.fill(field('Title'), title);
        await page.choose({ role: 'combobox', name: 'Category' }, 'property');
        await page.click({ role: 'radio', name: 'High' });
        await page.fill(field('Description'), 'The fence at the back gate was cut.');
        await page.upload('input[type=file][capture]', photoFile());
        await page.sees(button(/^Remove fence/));
        await page.fits();
        await page.click(button('Submit Report'));
        await page.sees(text('Incident Reported'));
        const database = await service(url, dataDir);
        const stored = await database
          .from('incidents')
          .select('severity, evidence(url)')
          .eq('title', title)
          .single()
          .throwOnError();
        expect(stored.data.severity).toBe('high');
        expect(stored.data.evidence).toHaveLength(1);
      });

      test('requests leave with the browser’s own field for dates', async () => {
        await page.open('/staff');
        await page.click(button(/^Request Leave/));
        await page.choose({ role: 'combobox', name: 'Leave Type' }, 'sick');
        const day = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
        await page.choose(field('Start Date'), day);
        await page.choose(field('End Date'), day);
        await page.fill(field(/^Reason/), 'A fever since this morning');
        await page.click(button('Submit Request'));
        await page.sees(text('Leave Request Submitted'));
      });
    });

    test('a contact of a client sees who is on post', async () => {
      page = await pageAs('client', '/client', PHONE);
      await page.sees({ role: 'heading', name: 'Who is on post' });
      await fitsEverywhere(page);
      await page.open('/client/coverage');
      await page.sees({ role: 'main', name: /%/ });
      await fitsEverywhere(page);
    });

    describe('a shared tablet', () => {
      let guard: GuardOnShift;

      test('is bound to its site', async () => {
        guard = await guardOnShift(url, dataDir);
        await ask(dataDir, 'select private.store_pin($1, $2)', [guard.session.user.id, PIN]);
        page = await newPage(PHONE, line.url);
        await page.open('/kiosk');
        await page.sees(text(/Bind This Device/));
        await fitsEverywhere(page);
        const { client } = await member(url, 'admin');
        const added = await client
          .rpc('add_device', { p_site_id: guard.siteId, p_name: 'Gate tablet' })
          .throwOnError();
        await page.fill(field('Code'), added.data[0]?.code ?? '');
        await page.click(button('Bind Device'));
        await page.sees(button(new RegExp(guard.person.fullName)));
      });

      test('clocks a guard in without a network', async () => {
        await page.run(() => navigator.serviceWorker.ready.then(() => true));
        await line.cut();
        await page.open('/kiosk');
        await page.click(button(new RegExp(guard.person.fullName)));
        for (const digit of PIN) await page.click(button(digit));
        await page.click(button('Clock In'));
        await page.sees({ role: 'heading', name: /^Clocked in at / });
        await page.sees(text('Waiting to be sent: 1'));
        await reportProblems((problem) => NO_NETWORK.test(problem));
        await line.mend();
        await page.run(() => dispatchEvent(new Event('online')));
        await page.seesNo(text(/Waiting to be sent/));
        await expect.poll(async () => (await guard.stored()).records.length).toBe(1);
        // The socket may report the cut only now.
        await reportProblems((problem) => NO_NETWORK.test(problem));
      });
    });
  });
}
