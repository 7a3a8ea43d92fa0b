// The device's position, followed while a screen needs it.
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { type Attempt, currentAttempt, followAttempt, onAttempt, startAttempt } from './attempt.ts';
import { isFresh } from './locate.ts';

export type LocationState =
  | Attempt
  /** The browser would ask for permission. */
  | { state: 'unasked' };

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
 * Follows the device's position while the component is mounted. Screens share one attempt.
 * @returns the state, and a function that asks, or tries again
 */
export function usePosition(following: Following): [LocationState, () => void] {
  const { isWanted = true, mayAsk, onFailure } = following;
  const permission = useLocationPermission();
  const attempt = useSyncExternalStore(onAttempt, currentAttempt);
  const [hasAsked, setAsked] = useState(false);
  const fail = useEffectEvent(() => onFailure?.());
  const isAllowed = mayAsk || hasAsked || permission === 'granted';
  const isOn = isWanted && isAllowed;
  const hasFailed = isOn && attempt.state === 'failed';

  useEffect(() => {
    if (!isOn) return;
    const leave = followAttempt();
    function renew() {
      // The page slept, or the guard went to the settings to switch location on.
      const current = currentAttempt();
      const isGood = current.state === 'found' && isFresh(current.position);
      if (document.visibilityState === 'visible' && !isGood) startAttempt();
    }
    document.addEventListener('visibilitychange', renew);
    return () => {
      document.removeEventListener('visibilitychange', renew);
      leave();
    };
  }, [isOn]);
  useEffect(() => {
    if (hasFailed) fail();
  }, [hasFailed]);

  function start() {
    if (isOn) startAttempt();
    else setAsked(true);
  }
  if (isAllowed || permission === undefined) return [attempt, start];
  return [{ state: permission === 'denied' ? 'failed' : 'unasked' }, start];
}
