import { useSyncExternalStore } from 'react';

const KEYS = { sound: 'operations-sound', notices: 'operations-notices' } as const;
type Choice = keyof typeof KEYS;

function storedChoice(choice: Choice): boolean {
  try {
    return localStorage.getItem(KEYS[choice]) === 'on';
  } catch {
    return false; // Storage is blocked: the choice lasts until the page is closed.
  }
}

const chosen = { sound: storedChoice('sound'), notices: storedChoice('notices') };
const listeners = new Set<() => void>();

export function choose(choice: Choice, on: boolean): void {
  chosen[choice] = on;
  try {
    localStorage.setItem(KEYS[choice], on ? 'on' : 'off');
  } catch (error) {
    console.warn('The choice can’t be stored on this device:', error);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useChoice = (choice: Choice) => useSyncExternalStore(subscribe, () => chosen[choice]);
