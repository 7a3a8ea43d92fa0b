// Delays a response until the test has checked the loading state.
import type { Page } from '@playwright/test';

/** @returns a promise and the function that resolves it */
export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** @returns lets the answers of these requests come */
export async function hold(page: Page, requests: string | RegExp): Promise<() => void> {
  const { opened, open } = gate();
  await page.route(requests, async (route) => {
    await opened;
    await route.continue();
  });
  return open;
}
