import { once } from 'node:events';
import { watchPaint } from './painted.mjs';
import { slowPage } from './slow-page.mjs';

/** A page without its rows by then has lost its locator. */
const LIMIT_MS = 60_000;

/** The main thread's time of the page so far, which depends less on other programs than the clock does. */
async function busy(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
}

/** Records in the page when a frame with this element has been painted, and reports it. */
function watchFor(shown) {
  const isShown = () => [...document.querySelectorAll(shown)].some((row) => row.checkVisibility());
  globalThis.whenPainted(isShown, (time) => {
    globalThis.paintedAt = time;
    globalThis.reportPaint('');
  });
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
  // Not the driver's own waiting: it evaluates 0.2 MB of script in the page and looks at it in every frame.
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: 'reportPaint' });
  const painted = once(session, 'Runtime.bindingCalled', { signal: AbortSignal.timeout(LIMIT_MS) });
  await page.addInitScript(watchPaint);
  await page.addInitScript(watchFor, shown);
  const started = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await painted;
  const visit = { ms: performance.now() - started, bytes, files, task: await busy(session) };
  await page.waitForLoadState('networkidle');
  // The browser lists its first paint a moment after it, and what is looked for may be in that paint.
  const times = await page.evaluate(() => ({
    frame: globalThis.paintedAt,
    paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  }));
  await page.close();
  return { ...visit, ...times, allBytes: bytes };
}
