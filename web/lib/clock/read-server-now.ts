import { readOffset } from '../outbox/server-clock.ts';
import { outboxStore } from '../outbox/store.ts';
import { serverNow } from './server-now.ts';

/** For requests, which may be made before a screen knows the time. @returns milliseconds since 1970 by the server's clock */
export async function readServerNow(): Promise<number> {
  // Without storage, the device's clock is all there is.
  await outboxStore().then(readOffset).catch(console.warn);
  return serverNow();
}
