// The height of table rows, chosen per device. Styles use the variant `compact:` (theme.css).
import { useSyncExternalStore } from 'react';

const KEY = 'density';

function storedDensity(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // Storage is blocked: the choice lasts until the page is closed.
  }
}

const root = document.documentElement.dataset;
if (storedDensity() === 'compact') root.density = 'compact';

const listeners = new Set<() => void>();

export function setCompact(compact: boolean): void {
  if (compact) root.density = 'compact';
  else delete root.density;
  try {
    localStorage.setItem(KEY, compact ? 'compact' : 'comfortable');
  } catch (error) {
    console.warn('The density of lists can’t be stored on this device:', error);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useCompact = () => useSyncExternalStore(subscribe, () => root.density === 'compact');
