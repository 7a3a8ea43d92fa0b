import { LINES, slowDown } from '../browser.mjs';

/** A new throttled page. `fresh`: with an empty cache. */
export async function slowPage(context, { fresh = false } = {}) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (fresh) {
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.setBypassServiceWorker', { bypass: true });
  }
  await slowDown(session, LINES.fast);
  return { page, session };
}
