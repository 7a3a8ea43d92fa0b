// A server that answers with errors, until the test lets the screen load again.
import type { Page } from '@playwright/test';

/**
 * Answers these requests with status 500 and stops live changes: the screen then loads again only when the user asks
 * for it. A request without any response is repeated by the app itself, maybe before the test presses "Try again".
 * @param message what the server says
 * @returns ends it
 */
export async function failing(
  page: Page,
  requests: RegExp | string,
  message: string,
): Promise<() => Promise<void>> {
  await page.routeWebSocket(/realtime/, (socket) => socket.close());
  await page.route(requests, (route) =>
    route.fulfill({ status: 500, json: { message, code: 'XX000' } }),
  );
  return () => page.unroute(requests);
}
