// Where this device is, kept up to date for as long as it is shown.
import { useEffect, useEffectEvent, useState } from 'react';
import type { Position } from './api/record-clock-event.ts';

export type Located =
  | { state: 'locating' }
  | { state: 'found'; position: Position }
  | { state: 'failed' };

/** A cold start of the receiver takes half a minute on old phones. */
const PATIENCE_MS = 30_000;
const OLDEST_MS = 15_000;

/**
 * @param onFailure called when the device gives no location: refused, switched off, or none found in 30 seconds
 * @returns what is known, and the call that tries again
 */
export function usePosition(onFailure: () => void): [Located, () => void] {
  const [located, setLocated] = useState<Located>({ state: 'locating' });
  const [round, setRound] = useState(0);
  const fail = useEffectEvent(onFailure);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a new try
  useEffect(() => {
    setLocated({ state: 'locating' });
    function giveUp() {
      // What was found before is still true; its age is shown.
      setLocated((known) => (known.state === 'found' ? known : { state: 'failed' }));
      fail();
    }
    if (!('geolocation' in navigator)) {
      giveUp();
      return;
    }
    const watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        const { latitude, longitude, accuracy } = coords;
        setLocated({ state: 'found', position: { latitude, longitude, accuracy, at: timestamp } });
      },
      giveUp,
      { enableHighAccuracy: true, timeout: PATIENCE_MS, maximumAge: OLDEST_MS },
    );
    return () => navigator.geolocation.clearWatch(watch);
  }, [round]);

  return [located, () => setRound((known) => known + 1)];
}
