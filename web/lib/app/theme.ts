// The colour theme. web/public/theme.js applies it before the first paint and on every storage event.
import { Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';

export const THEMES = ['light', 'dark', 'system'] as const;

export const THEME_LABELS = {
  light: { label: 'Light', Icon: Sun },
  dark: { label: 'Dark', Icon: Moon },
  system: { label: 'System', Icon: Monitor },
} as const;

export type Theme = (typeof THEMES)[number];

function chosenTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem('theme')) ?? 'system';
  } catch {
    return 'system'; // Storage is blocked; theme.js falls back to the system's theme too.
  }
}

/** @throws when the browser blocks storage */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem('theme');
  else localStorage.setItem('theme', theme);
  // Browsers fire the event in other tabs only.
  dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
}

function subscribe(listener: () => void) {
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, chosenTheme, () => 'system' as const);
}
