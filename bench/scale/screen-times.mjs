// From the press on a link of the sidebar to the rows, for an administrator on a slow connection.
import { median } from '../../backend/bench/support/report.mjs';
import { screens } from '../admin/screens.mjs';
import { withBrowser } from '../browser.mjs';
import { signedIn, storageOf } from '../signed-in.mjs';

const DESK = { width: 1280, height: 800 };

/**
 * @param {string} url of a running demo company, grown or not
 * @returns {Promise<Map<string, number>>} milliseconds by screen, medians of three rounds
 */
export function screenTimes(url, credentials) {
  return withBrowser(async (browser) => {
    const storageState = await storageOf(await signedIn(url, credentials), url);
    const context = await browser.newContext({ viewport: DESK, storageState });
    const shown = await screens(context, url);
    return new Map(shown.map(([name, ...rounds]) => [name, median(rounds)]));
  });
}
