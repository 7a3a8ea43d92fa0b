// The pictures of README.md and the site's social card. `npm run pictures` takes them (PICTURES=write); the suite takes them
// again, and compares what they were made from rather than pixels, because the demo company has another day each time.
import type { Browser, Page } from '@playwright/test';
import { type GuardOnShift, guardOnShift, newPhone } from '#tests/e2e/support/guard-on-shift.ts';
import { outlineOf } from '#tests/e2e/support/outline.ts';
import { pageOf } from '#tests/e2e/support/people.ts';
import {
  framed,
  isBlank,
  MAX_BYTES,
  type Outlines,
  pixelsOf,
  readOutlines,
  sizeOf,
  writeOutlines,
  writePicture,
} from '#tests/e2e/support/pictures.ts';
import { service } from '#tests/e2e/support/service.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

const isWriting = process.env.PICTURES === 'write';
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const DESK = { width: 1440, height: 1080 };
const PHONE = { width: 360, height: 780 };
/** Device pixels for each CSS pixel. */
const SCALES = { desk: 1.5, phone: 2 };
const CARD = { width: 1200, height: 630 };
const HOUR_MS = 3_600_000;

/** Lines of the frames. */
const LINES: Record<Theme, string> = { light: '#c9c4b6', dark: '#33415c' };

const settle = async (page: Page) => {
  await page.evaluate(async () => {
    await document.fonts.ready;
  });
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
};

/** Makes the screen as high as whole rows of the list need, with the whole map beside it. */
async function fitBoard(page: Page) {
  const missing = await page.evaluate(() => {
    const map = document.querySelector('[role="application"]');
    const list = document.querySelector('#posts ul');
    const shown = list?.parentElement;
    const row = list?.firstElementChild;
    if (!map || !list || !shown || !row) throw new Error('The board has changed: fitBoard().');
    const below = map.getBoundingClientRect().bottom - shown.getBoundingClientRect().bottom;
    const room = shown.getBoundingClientRect().bottom - list.getBoundingClientRect().top - 1;
    const { height } = row.getBoundingClientRect();
    return Math.ceil((room + below) / height) * height - room;
  });
  const { height } = page.viewportSize() ?? DESK;
  await page.setViewportSize({ ...DESK, height: height + Math.round(missing) });
}

/** Makes the screen only so high that its navigation covers no card and no shift in part. */
async function fitPhone(page: Page) {
  const height = await page.evaluate(() => {
    const bar = document.querySelector('[data-bottom-bar]')?.getBoundingClientRect();
    if (!bar) throw new Error('The staff portal has changed: fitPhone().');
    const ends = [...document.querySelectorAll('main section, main li')]
      .map((part) => Math.ceil(part.getBoundingClientRect().bottom))
      .filter((end) => end <= bar.top);
    return Math.max(...ends) + bar.height;
  });
  await page.setViewportSize({ ...PHONE, height });
}

async function takeBoard(browser: Browser, url: string, colorScheme: Theme) {
  const options = { viewport: DESK, deviceScaleFactor: SCALES.desk, colorScheme };
  const page = await pageOf(browser, url, 'dispatcher', options);
  await page.goto('/admin/operations');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const posts = page.locator('#posts').getByRole('listitem');
  await expect(posts.first()).toBeVisible();
  await expect(page.getByRole('application', { name: 'Map of the sites' })).toBeVisible();
  const outline = await outlineOf({
    navigation: page.locator('#sidebar'),
    heading: page.getByRole('heading', { name: 'Operations', exact: true }),
    search: page.getByLabel('Search posts and guards'),
    region: page.getByLabel('Region', { exact: true }),
  });
  // Four entries in a tall column say little.
  await page.getByRole('button', { name: 'Toggle sidebar' }).click();
  // It moves the map far down.
  await page.addStyleTag({ content: '[aria-label="Log"] { display: none }' });
  await fitBoard(page);
  await settle(page);
  const picture = await page.screenshot();
  await page.context().close();
  return { picture, outline };
}

/** A guard in the fourth hour of a shift of twelve, at a site with a name. */
async function guardOnPost(url: string, dataDir: string): Promise<GuardOnShift> {
  const start = (Math.floor(Date.now() / HOUR_MS) - 4) * HOUR_MS;
  const from = (start - Date.now()) / HOUR_MS;
  const guard = await guardOnShift(url, dataDir, from, from + 12);
  const backend = await service(url, dataDir);
  const name = { full_name: 'Musu Kollie' };
  await backend.from('profiles').update(name).eq('id', guard.session.user.id).throwOnError();
  await backend
    .from('sites')
    .update({
      name: 'Freeport Tank Farm',
      client_name: 'Cape Mesurado Terminals',
      address: '129 Twelfth Street, Bushrod Island',
    })
    .eq('id', guard.siteId)
    .throwOnError();
  await guard.attends(new Date(start - 240_000).toISOString());
  return guard;
}

async function takePhone(browser: Browser, url: string, guard: GuardOnShift, colorScheme: Theme) {
  const options = { viewport: PHONE, deviceScaleFactor: SCALES.phone, colorScheme };
  const page = await newPhone(browser, url, guard, options);
  const key = `guide-read:${guard.session.user.id}`;
  await page.addInitScript((name) => localStorage.setItem(name, ''), key);
  await page.goto('/staff');
  await expect(page.getByText('You are clocked in')).toBeVisible();
  await expect(page.getByRole('list', { name: 'My Shifts' })).toBeVisible();
  const outline = await outlineOf({
    heading: page.getByRole('heading', { name: 'Staff Portal' }),
    clock: page.getByRole('button', { name: 'Clock In/Out' }),
    report: page.getByRole('button', { name: 'Report Incident' }),
    duty: page.getByRole('region', { name: 'On duty' }).getByRole('button', { name: 'Clock out' }),
    navigation: page.getByRole('navigation', { name: 'Staff portal' }),
  });
  await fitPhone(page);
  await settle(page);
  const picture = await page.screenshot();
  await page.context().close();
  return { picture, outline };
}

/** The opening of the public site, with the company's name and headline alone. */
async function takeCard(browser: Browser, url: string) {
  const page = await browser.newPage({ viewport: CARD, reducedMotion: 'reduce' });
  await page.goto(url);
  const headline = page.getByRole('heading', { level: 1 });
  const outline = await outlineOf({ headline });
  await page.addStyleTag({
    content: `
      .site-bar { position: absolute; inset: 2.5rem 0 auto; border: 0; background: none; }
      .site-bar .site-width > div { display: none; }
      .site-bar a { zoom: 1.25; }
      .site-night { min-height: 630px; height: 630px; }
      .site-night > .site-width { padding-top: 10.5rem; padding-bottom: 0; }
      .site-night h1 { font-size: 76px; }
      .site-night h1 ~ * { display: none; }
    `,
  });
  await settle(page);
  const picture = await page.screenshot();
  await page.close();
  return { picture, outline };
}

test(
  'the pictures of README and the social card show the screens of today',
  {
    tag: ['@long', '@pictures'],
  },
  async ({ browser, url, dataDir }, testInfo) => {
    // Five screens in one journey.
    test.slow();
    const taken: Outlines = {};
    const check = async (file: string, picture: Buffer) => {
      await testInfo.attach(file, { body: picture, contentType: 'image/png' });
      expect(await isBlank(picture), `${file} shows nothing`).toBe(false);
      if (isWriting) await writePicture(file, picture);
      const { width, bytes } = await sizeOf(file);
      expect(width, file).toBe((await pixelsOf(picture)).width);
      expect(bytes, `${file} is too large for a README`).toBeLessThan(MAX_BYTES);
    };
    for (const theme of THEMES) {
      const { picture, outline } = await takeBoard(browser, url, theme);
      taken[`board-${theme}`] = outline;
      await check(`docs/images/board-${theme}.webp`, await framed(picture, LINES[theme], 16));
    }
    const guard = await guardOnPost(url, dataDir);
    for (const theme of THEMES) {
      const { picture, outline } = await takePhone(browser, url, guard, theme);
      taken[`phone-${theme}`] = outline;
      await check(`docs/images/phone-${theme}.webp`, await framed(picture, LINES[theme], 56));
    }
    const { picture, outline } = await takeCard(browser, url);
    taken.card = outline;
    await check('web/public/social-card.png', picture);
    if (isWriting) await writeOutlines(taken);
    expect(
      taken,
      'The pictures show an old design. Run `npm run pictures`, look, and commit.',
    ).toEqual(await readOutlines());
  },
);
