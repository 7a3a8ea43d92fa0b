import { useEffect, useState } from 'react';
import { learnServerOffset, readOffset } from '../outbox/server-clock.ts';
import { outboxStore } from '../outbox/store.ts';
import { clockJumps, serverNow } from './server-now.ts';

const TICK_MS = 5_000;

let seenJumps = 0;

/** Reads the stored offset, and asks the server again if the clock of the device was set. */
async function readStored(): Promise<void> {
  const store = await outboxStore();
  await readOffset(store);
  if (seenJumps === clockJumps()) return;
  seenJumps = clockJumps();
  await learnServerOffset(store);
}

let reading: { at: number; done: Promise<void> } | undefined;

/** One reading for all parts of the page that tick. */
function readClock(): Promise<void> {
  const at = performance.now();
  if (reading && at - reading.at < TICK_MS && seenJumps === clockJumps()) return reading.done;
  reading = { at, done: readStored() };
  return reading.done;
}

/** @returns milliseconds since 1970 by the server's clock, again every few seconds; undefined until the offset was read */
export function useServerNow(tickMs = TICK_MS, isWanted = true): number | undefined {
  const [now, setNow] = useState<number>();
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    const read = async () => {
      // Without storage, the device's clock is all there is.
      await readClock().catch(console.warn);
      if (isCurrent) setNow(serverNow());
    };
    const readIfVisible = () => {
      if (document.visibilityState === 'visible') void read();
    };
    void read();
    const timer = setInterval(() => void read(), tickMs);
    document.addEventListener('visibilitychange', readIfVisible);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', readIfVisible);
    };
  }, [tickMs, isWanted]);
  return now;
}
