// The device's position, followed while a screen needs it.
import { useEffect, useEffectEvent, useState } from 'react';
import { POSITION_OPTIONS, type Position, toPosition } from './locate.ts';

export type LocationState =
  /** The browser would ask for permission. */
  | { state: 'unasked' }
  | { state: 'locating' }
  | { state: 'found'; position: Position }
  | { state: 'failed' };

/** @returns undefined until it is known */
function useLocationPermission(): PermissionState | undefined {
  const [permission, setPermission] = useState<PermissionState>();
  useEffect(() => {
    let status: PermissionStatus | undefined;
    let isCurrent = true;
    const read = () => setPermission(status?.state ?? 'prompt');
    async function follow() {
      // Safari before 16 has no such query.
      status = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => undefined);
      if (!isCurrent) return;
      read();
      status?.addEventListener('change', read);
    }
    void follow();
    return () => {
      isCurrent = false;
      status?.removeEventListener('change', read);
    };
  }, []);
  return permission;
}

type Following = {
  /** Off, it uses no battery. */
  isWanted?: boolean;
  /** Whether opening this screen may make the browser ask; otherwise only `start` does. */
  mayAsk: boolean;
  /** Permission refused, location switched off, or no fix within 30 seconds. */
  onFailure?: () => void;
};

/**
 * Follows the device's position while the component is mounted.
 * @returns the state, and a function that asks, or tries again
 */
export function usePosition(following: Following): [LocationState, () => void] {
  const { isWanted = true, mayAsk, onFailure } = following;
  const permission = useLocationPermission();
  const [location, setLocation] = useState<LocationState>({ state: 'locating' });
  const [attempt, setAttempt] = useState(0);
  const fail = useEffectEvent(() => onFailure?.());
  const isAllowed = mayAsk || attempt > 0 || permission === 'granted';
  const isOn = isWanted && isAllowed;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt starts a new watch
  useEffect(() => {
    if (!isOn) return;
    setLocation({ state: 'locating' });
    function reportFailure() {
      // Keep the last position: its age is shown.
      setLocation((current) => (current.state === 'found' ? current : { state: 'failed' }));
      fail();
    }
    if (!('geolocation' in navigator)) {
      reportFailure();
      return;
    }
    // The browser's timeout begins with the answer to its question, which a user may leave open.
    const unanswered = setTimeout(reportFailure, POSITION_OPTIONS.timeout + 1_000);
    const watch = navigator.geolocation.watchPosition(
      (fix) => {
        clearTimeout(unanswered);
        setLocation({ state: 'found', position: toPosition(fix) });
      },
      () => {
        clearTimeout(unanswered);
        reportFailure();
      },
      POSITION_OPTIONS,
    );
    return () => {
      clearTimeout(unanswered);
      navigator.geolocation.clearWatch(watch);
    };
  }, [isOn, attempt]);

  const start = () => setAttempt((count) => count + 1);
  if (isAllowed || permission === undefined) return [location, start];
  return [{ state: permission === 'denied' ? 'failed' : 'unasked' }, start];
}
