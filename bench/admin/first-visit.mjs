import { slowPage } from './slow-page.mjs';

/** The main thread's time of the page so far, which depends less on other programs than the clock does. */
async function busy(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
}

/** Records in the page when a frame with this element has been painted. */
function watchFor(shown) {
  const look = () => {
    if (!document.querySelector(shown)) requestAnimationFrame(look);
    else setTimeout(() => (globalThis.paintedAt = performance.now()));
  };
  requestAnimationFrame(look);
}

/**
 * A first visit with an empty cache.
 * @returns milliseconds until `shown` appears (`frame`: by the page's own clock); the scripts that came until then, and
 *   until the network is idle
 */
export async function firstVisit(context, address, shown) {
  const { page, session } = await slowPage(context, { fresh: true });
  await session.send('Performance.enable');
  const scripts = new Set();
  let bytes = 0;
  let files = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script') scripts.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!scripts.has(requestId)) return;
    bytes += encodedDataLength;
    files += 1;
  });
  await page.addInitScript(watchFor, shown);
  const started = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.locator(shown).filter({ visible: true }).first().waitFor({ timeout: 60_000 });
  const visit = { ms: performance.now() - started, bytes, files, task: await busy(session) };
  await page.waitForFunction(() => globalThis.paintedAt !== undefined);
  const times = await page.evaluate(() => ({
    frame: globalThis.paintedAt,
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  }));
  await page.waitForLoadState('networkidle');
  await page.close();
  return { ...visit, ...times, allBytes: bytes };
}
