// The pictures of docs/guide. `npm run pictures` takes them (PICTURES=write); the suite opens the same screens, so that a picture
// can always be taken again.
import type { Page } from '@playwright/test';
import { type DemoName, pageOf } from '#tests/e2e/support/people.ts';
import { isBlank, sizeOf, writePicture } from '#tests/e2e/support/pictures.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const isWriting = process.env.PICTURES === 'write';
/** Three on a page load within seconds on a slow line. */
const MAX_BYTES = 60_000;
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 720 }, deviceScaleFactor: 2 };
/** Of a site in the demo company. */
const PLACE = {
  geolocation: { latitude: 6.351, longitude: -10.788 },
  permissions: ['geolocation'],
};

/** Monrovia has the time of UTC. Shifts that begin soon may have nobody left who can come. */
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

type Picture = {
  file: string;
  as: DemoName;
  path: string;
  isPhone?: true;
  /** Opens what is shown on the screen, and waits for it. */
  ready: (page: Page) => Promise<void>;
};

const sees = (text: string) => async (page: Page) => {
  await expect(
    page.getByText(text, { exact: true }).filter({ visible: true }).first(),
  ).toBeVisible();
};

const opens = (button: string | RegExp, dialog: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
};

const PICTURES: Picture[] = [
  { file: 'dashboard', as: 'ops', path: '/admin/dashboard', ready: sees('Waiting for you') },
  {
    file: 'guard-home',
    as: 'guard',
    path: '/staff',
    isPhone: true,
    ready: async (page) => {
      await expect(page.getByRole('list', { name: 'My Shifts' })).toBeVisible();
    },
  },
  {
    file: 'guard-clock',
    as: 'guard',
    path: '/staff',
    isPhone: true,
    ready: opens(/^Clock In\/Out/, 'Clock In/Out'),
  },
  {
    file: 'guard-report',
    as: 'guard',
    path: '/staff/report',
    isPhone: true,
    ready: opens('Report Incident', 'Report Incident'),
  },
  {
    file: 'supervisor-dashboard',
    as: 'supervisor',
    path: '/admin/dashboard',
    ready: sees('Waiting for you'),
  },
  {
    file: 'supervisor-muster',
    as: 'supervisor',
    path: '/staff/muster',
    isPhone: true,
    ready: async (page) => {
      await expect(page.getByRole('heading', { name: 'Muster' })).toBeVisible();
      await expect(page.locator('main li').first()).toBeVisible();
    },
  },
  {
    file: 'supervisor-incidents',
    as: 'supervisor',
    path: '/admin/incidents',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: /^View / }).first()).toBeVisible();
    },
  },
  {
    file: 'dispatcher-board',
    as: 'dispatcher',
    path: '/admin/operations',
    ready: async (page) => {
      await expect(page.locator('#posts').getByRole('listitem').first()).toBeVisible();
      await expect(page.getByRole('application', { name: 'Map of the sites' })).toBeVisible();
    },
  },
  {
    file: 'dispatcher-replace',
    as: 'dispatcher',
    path: `/admin/shifts?q=Freeport&day=${TOMORROW}`,
    ready: async (page) => {
      await page
        .getByRole('button', { name: /^Assign guards/ })
        .first()
        .click();
      await page.getByRole('dialog').getByText('Replace', { exact: true }).click();
      await expect(page.getByRole('button', { name: /^Note a call/ }).first()).toBeVisible();
    },
  },
  {
    file: 'planner-roster',
    as: 'ops',
    path: '/admin/roster',
    ready: async (page) => {
      await expect(page.getByRole('grid')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible();
      await expect(page.getByText(/^[\d,]+ of [\d,]+ filled/)).toBeVisible();
    },
  },
  {
    file: 'planner-requests',
    as: 'ops',
    path: '/admin/roster/requests',
    ready: sees('Select all possible'),
  },
  { file: 'hr-people', as: 'hr', path: '/admin/people', ready: sees('Next Duty') },
  { file: 'hr-leave', as: 'hr', path: '/admin/leave', ready: sees('Pending') },
  {
    file: 'hr-certificates',
    as: 'hr',
    path: '/admin/certifications',
    ready: async (page) => {
      await expect(page.getByRole('button', { name: /^Edit/ }).first()).toBeVisible();
    },
  },
  {
    file: 'finance-pay-run',
    as: 'finance',
    path: '/admin/payruns',
    ready: async (page) => {
      await page
        .locator('main a[href^="/admin/payruns/"]:not([href$="/accounts"], [href$="/adjustments"])')
        .first()
        .click();
      await sees('Staff Name')(page);
    },
  },
  {
    file: 'finance-invoices',
    as: 'finance',
    path: '/admin/invoices',
    ready: sees('Draft Invoices'),
  },
  {
    file: 'administrator-hire',
    as: 'admin',
    path: '/admin/people/new',
    ready: sees('Role and pay'),
  },
  {
    file: 'administrator-system',
    as: 'admin',
    path: '/admin/system',
    ready: sees('Largest tables'),
  },
];

for (const { file, as, path, isPhone, ready } of PICTURES) {
  test(`the guide's picture ${file}`, { tag: ['@long', '@pictures'] }, async ({ browser, url }) => {
    const options = isPhone ? PHONE : DESK;
    const page = await pageOf(browser, url, as, { ...options, ...PLACE, colorScheme: 'light' });
    await page.goto(path);
    await ready(page);
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
    await expect(page.getByText(/^Loading/).filter({ visible: true })).toHaveCount(0);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const picture = await page.screenshot({ animations: 'disabled' });
    await page.context().close();
    expect(await isBlank(picture), `${file} shows nothing`).toBe(false);
    const place = `docs/guide/pictures/${file}.webp`;
    if (isWriting) await writePicture(place, picture, MAX_BYTES);
    const { bytes } = await sizeOf(place);
    expect(bytes, `${file} is too large for a phone`).toBeLessThan(MAX_BYTES);
  });
}
