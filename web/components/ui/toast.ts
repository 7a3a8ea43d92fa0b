// Says in a corner of the screen what has just happened. One toast at a time: a new one takes the old one's place.
// The toaster is loaded for the first one: no first screen waits for it.

import { useSyncExternalStore } from 'react';
import type { toast } from 'sonner';

const NOTICE_MS = 4000;
/** Errors, and toasts with something to press, stay a little longer. */
const LONGER_MS = 5000;

type Action = { label: string; onPress: () => void };
type Toasts = typeof toast;

let isWanted = false;
const listeners = new Set<() => void>();
let begin: (toasts: Toasts) => void = () => undefined;
const begun = new Promise<Toasts>((resolve) => {
  begin = resolve;
});

/** Called by the toaster once it is on the page: what was said before then appears. */
export function startToasts(toasts: Toasts): void {
  begin(toasts);
}

/** Whether there is something to say. */
export function useToasterWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isWanted,
  );
}

/** @returns what takes the toast away before its time */
function show(say: (toasts: Toasts) => string | number): () => void {
  if (!isWanted) {
    isWanted = true;
    for (const listener of listeners) listener();
  }
  const shown = begun.then((toasts) => {
    toasts.dismiss();
    const id = say(toasts);
    return () => toasts.dismiss(id);
  });
  return () => void shown.then((dismiss) => dismiss());
}

/** @param action a button in the toast, for example Undo */
export function showSuccess(title: string, description?: string, action?: Action): void {
  show((toasts) =>
    toasts.success(title, {
      description,
      duration: action ? LONGER_MS : NOTICE_MS,
      action: action && { label: action.label, onClick: action.onPress },
    }),
  );
}

/**
 * The destructive toast: a title that says what failed, and why in the description.
 * @returns what takes it away before its time
 */
export function showError(title: string, description: string): () => void {
  return show((toasts) => toasts.error(title, { description, duration: LONGER_MS }));
}
