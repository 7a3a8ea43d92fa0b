// Every screen against WCAG 2.2 AA, its touch targets and its width, on a phone and a desktop, light and dark, with large text.
import type { Page } from '@playwright/test';
import { appScreens } from '#tests/e2e/support/app-screens.ts';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { addDeployment, newLocation } from '#tests/e2e/support/deployments.ts';
import { checkLargeText, excessOf } from '#tests/e2e/support/large-text.ts';
import { officeScreens } from '#tests/e2e/support/office-screens.ts';
import { payScreens } from '#tests/e2e/support/pay-screens.ts';
import { member } from '#tests/e2e/support/people.ts';
import { expect, test } from '#tests/e2e/support/test.ts';

/** Waits until the colour scheme is applied and transitions have ended. */
async function settled(page: Page, scheme: 'light' | 'dark') {
  await page.waitForFunction(
    (dark) => document.documentElement.classList.contains('dark') === dark,
    scheme === 'dark',
  );
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {}))),
  );
}

/** Thumbs need 44 px; a mouse needs the 24 px of WCAG 2.2, 2.5.8. */
const smallestTarget = (width: number) => (width < 768 ? 44 : 24);

/** Controls smaller than that in either direction, except links inside text. */
function smallTargets(page: Page) {
  const smallest = smallestTarget(page.viewportSize()?.width ?? 0) - 0.5;
  return page.evaluate(
    (smallest) =>
      [...document.querySelectorAll('a, button, input, select, textarea, [role=tab]')]
        .filter((element) => element.checkVisibility() && !element.closest('.sr-only'))
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width < smallest || box.height < smallest)
        .map(({ element, box }) => `${element.outerHTML.slice(0, 80)} ${box.width}x${box.height}`),
    smallest,
  );
}

test.beforeAll(async ({ baseURL }) => {
  const { client } = await member(baseURL ?? '', 'guard');
  await addDeployment(client, { location: newLocation(), client_name: 'Harbour Trading' });
});

/** Layout depends on the width and colours on the theme: one look of each covers both. `npm run test:long` checks all four. */
const FIRST_LOOK = { width: 360, colorScheme: 'light' } as const;
const SECOND_LOOK = { width: 1280, colorScheme: 'dark' } as const;
const LONG_LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

/** @param rules every rule, or contrast only where the same elements were checked in the other theme */
async function check(page: Page, scheme: 'light' | 'dark', rules: 'all' | 'contrast') {
  await settled(page, scheme);
  const faults =
    rules === 'all'
      ? await faultsOf(page)
      : await faultsOf(page, (axe) => axe.withRules(['color-contrast']));
  expect(faults).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  expect(await excessOf(page)).toBe(0);
}

// The office works at a desk.
const screens = [
  ...appScreens.map((screen) => ({ ...screen, isOnPhones: true })),
  ...[...officeScreens, ...payScreens].map((screen) => ({ ...screen, isOnPhones: false })),
];

for (const { name, path, as, ready, isOnPhones, eachWidth = false } of screens) {
  test(name, { tag: '@looks' }, async ({ openShared, url, isLong }) => {
    const first = FIRST_LOOK;
    const others = isLong ? [SECOND_LOOK, ...LONG_LOOKS] : [SECOND_LOOK];
    const page = await openShared(as);
    await page.setViewportSize({ width: first.width, height: 760 });
    await page.emulateMedia({ colorScheme: first.colorScheme });
    // Four cards are enough.
    await page.route(/limit=(60|24)\b/, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=(60|24)\b/, 'limit=4'),
      }),
    );
    await page.goto(path);
    await ready(page, url);
    await check(page, first.colorScheme, 'all');
    if (isOnPhones) await checkLargeText(page);
    for (const { width, colorScheme } of others) {
      await page.setViewportSize({ width, height: 760 });
      await page.emulateMedia({ colorScheme });
      if (eachWidth) {
        await page.reload();
        await ready(page, url);
      }
      await check(page, colorScheme, isLong ? 'all' : 'contrast');
    }
  });
}
