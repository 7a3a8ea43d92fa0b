// Toasts, one at a time. The toaster is loaded a while after the page (toaster-place.tsx), at the latest with the first one.
import { useSyncExternalStore } from 'react';
import type { toast } from 'sonner';

const NOTICE_MS = 4000;
/** For errors, and toasts with a button. */
const LONGER_MS = 5000;

type Action = { label: string; onPress: () => void };
type Toasts = typeof toast;

let isWanted = false;
const listeners = new Set<() => void>();
let setToasts: (toasts: Toasts) => void = () => undefined;
const loadedToasts = new Promise<Toasts>((resolve) => {
  setToasts = resolve;
});

/** Called by the toaster when it is mounted: shows the toasts requested so far. */
export function startToasts(toasts: Toasts): void {
  setToasts(toasts);
}

/** Whether a toast was requested. */
export function useToasterWanted(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isWanted,
  );
}

/** @returns dismisses the toast early */
function show(add: (toasts: Toasts) => string | number): () => void {
  if (!isWanted) {
    isWanted = true;
    for (const listener of listeners) listener();
  }
  const shown = loadedToasts.then((toasts) => {
    const earlier = toasts.getToasts();
    const id = add(toasts);
    // After Sonner's own timers: until then one requested a moment ago isn't there to be dismissed, and would stay below.
    setTimeout(() => {
      for (const toast of earlier) toasts.dismiss(toast.id);
    });
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
 * @param title what failed
 * @param description why
 * @returns dismisses the toast early
 */
export function showError(title: string, description: string): () => void {
  return show((toasts) => toasts.error(title, { description, duration: LONGER_MS }));
}
