import { useSyncExternalStore } from 'react';

type Names = { key: string; on: string; off: string };

function readIsOn({ key, on }: Names): boolean {
  try {
    return localStorage.getItem(key) === on;
  } catch {
    return false; // Storage is blocked: the choice lasts until the page is closed.
  }
}

/**
 * A yes or no about how screens look, stored on this device.
 *
 * @param apply also called at once, if the stored choice is "on"
 */
export function deviceChoice(names: Names, apply?: (isOn: boolean) => void) {
  let isOn = readIsOn(names);
  if (isOn) apply?.(isOn);
  const listeners = new Set<() => void>();
  function subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  return {
    use: () => useSyncExternalStore(subscribe, () => isOn),
    set: (chosen: boolean) => {
      isOn = chosen;
      apply?.(chosen);
      try {
        localStorage.setItem(names.key, chosen ? names.on : names.off);
      } catch (error) {
        console.warn(`The ${names.key} can’t be stored on this device:`, error);
      }
      for (const listener of listeners) listener();
    },
  };
}
