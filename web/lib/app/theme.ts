// The chosen colour theme. web/public/theme.js applies it, before the first paint and at every storage event.
import { useSyncExternalStore } from 'react';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

function chosenTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem('theme')) ?? 'system';
  } catch {
    return 'system'; // Storage is blocked, and theme.js follows the system too.
  }
}

/** @throws when the browser refuses to store anything */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem('theme');
  else localStorage.setItem('theme', theme);
  // Browsers tell the other tabs only; this one is told here.
  dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
}

function subscribe(listener: () => void) {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme);
}
