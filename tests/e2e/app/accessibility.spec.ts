// Every screen against WCAG 2.2 AA, its touch targets and its width, on a phone and a desktop, light and dark, with large text.
import type { Page } from '@playwright/test';
import { appScreens } from '#tests/e2e/support/app-screens.ts';
import { faultsOf } from '#tests/e2e/support/axe.ts';
import { addDeployment, newLocation } from '#tests/e2e/support/deployments.ts';
import { checkLargeText, excessOf } from '#tests/e2e/support/large-text.ts';
import { officeScreens } from '#tests/e2e/support/office-screens.ts';
import { payScreens } from '#tests/e2e/support/pay-screens.ts';
import { member } from '#tests/e2e/support/people.ts';
import { test } from '#tests/e2e/support/reused-page.ts';
import { expect } from '#tests/e2e/support/test.ts';

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

/** Layout depends on the width and colours on the theme, so each rule is checked at both widths, and those of colour in all four. */
const LOOKS = [
  { width: 360, colorScheme: 'light', rules: 'all' },
  { width: 360, colorScheme: 'dark', rules: 'colour' },
  { width: 1280, colorScheme: 'dark', rules: 'all' },
  { width: 1280, colorScheme: 'light', rules: 'colour' },
] as const;
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

async function check(page: Page, { colorScheme, rules }: (typeof LOOKS)[number]) {
  await settled(page, colorScheme);
  const faults = await faultsOf(page, rules === 'all' ? {} : { rules: COLOUR_RULES });
  expect(faults).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  expect(await excessOf(page)).toBe(0);
}

/** The office works at a desk. */
const screens = [
  ...appScreens.map((screen) => ({ ...screen, isOnPhones: true })),
  ...[...officeScreens, ...payScreens].map((screen) => ({ ...screen, isOnPhones: false })),
]
  // Those of one account after each other, because they share a page.
  .sort((one, other) => one.as.localeCompare(other.as));

for (const { name, path, as, ready, isOnPhones, eachWidth = false } of screens) {
  test(name, { tag: '@long' }, async ({ openAgain, url }) => {
    const page = await openAgain(as);
    let shown = 0;
    for (const look of LOOKS) {
      const { width, colorScheme } = look;
      await page.setViewportSize({ width, height: 760 });
      await page.emulateMedia({ colorScheme });
      if (shown === 0 || (eachWidth && shown !== width)) {
        await page.goto(path);
        await ready(page, url);
      }
      await check(page, look);
      if (isOnPhones && shown === 0) await checkLargeText(page);
      shown = width;
    }
  });
}
