import { useCallback, useEffect, useState } from 'react';
import { accepted, toNotSent } from '#web/lib/outbox/answers.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { learnServerOffset } from '#web/lib/outbox/server-clock.ts';
import { outboxStore } from '#web/lib/outbox/store.ts';
import { forgetSecret, kioskClient, readSecret } from './binding.ts';
import { onQueueChange, readQueue, sendQueue } from './clocking.ts';
import { type KioskSite, siteSchema } from './people.ts';
import { cachedSite, cacheSite } from './site-cache.ts';

const REFRESH_MS = 60_000;

export type KioskState = {
  /** `loading` until the device was read. */
  state: 'loading' | 'unbound' | 'bound';
  site: KioskSite | undefined;
  queue: OutboxEntry[];
};

async function readKiosk(): Promise<KioskState> {
  const [site, queue, secret] = await Promise.all([cachedSite(), readQueue(), readSecret()]);
  return secret ? { state: 'bound', site, queue } : { state: 'unbound', site: undefined, queue };
}

/** Reads the guards from the server. A removed device forgets their names at once; what waits to be sent stays. */
async function fetchSite(): Promise<void> {
  const secret = await readSecret();
  if (!secret) return;
  try {
    const client = await kioskClient();
    const { data } = accepted(
      await client
        .rpc('device_people', { p_secret: secret })
        .abortSignal(AbortSignal.timeout(20_000)),
    );
    await cacheSite(siteSchema.parse(data));
    await learnServerOffset(await outboxStore());
  } catch (error) {
    const { verdict, message } = toNotSent(error);
    if (verdict === 'signed-out' && (await readSecret()) === secret) {
      await forgetSecret();
      await cacheSite(null);
    } else console.warn('The guards could not be read:', message);
  }
}

/** The screen goes off or the page is closed, so that nobody misses the device. */
async function reportAway(): Promise<void> {
  const secret = await readSecret();
  if (!secret) return;
  const { error } = await (await kioskClient()).rpc('device_away', { p_secret: secret });
  if (error) console.warn('The server does not know that the screen is off:', error.message);
}

/** @returns the device's state, kept up to date, and `refresh` for after a change */
export function useKiosk(): KioskState & { refresh: () => Promise<void> } {
  const [kiosk, setKiosk] = useState<KioskState>({
    state: 'loading',
    site: undefined,
    queue: [],
  });

  const read = useCallback(async () => setKiosk(await readKiosk()), []);
  const refresh = useCallback(async () => {
    await read();
    await fetchSite();
    await read();
  }, [read]);

  useEffect(() => {
    const update = () => {
      if (document.visibilityState !== 'visible') return;
      void sendQueue();
      refresh().catch(console.error);
    };
    update();
    const timer = setInterval(update, REFRESH_MS);
    const stop = onQueueChange(() => read().catch(console.error));
    addEventListener('online', update);
    const turn = () => {
      if (document.visibilityState === 'visible') update();
      else reportAway().catch(console.warn);
    };
    document.addEventListener('visibilitychange', turn);
    return () => {
      clearInterval(timer);
      stop();
      removeEventListener('online', update);
      document.removeEventListener('visibilitychange', turn);
    };
  }, [read, refresh]);

  return { ...kiosk, refresh };
}
