// Back closes the topmost dialog and stays on the page, as people expect of a sheet on a phone.
import { type AnyRouter, type HistoryLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** The open dialogs, the topmost last. */
const open: (() => void)[] = [];

/** Chromium on Android calls it for Back even where there is no page to go back to. TypeScript doesn't know it yet. */
type Watcher = { destroy: () => void; onclose: (() => void) | null };
declare global {
  var CloseWatcher: (new () => Watcher) | undefined;
}
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Differs from the entry before, or the router would add none for the same address. */
    isForDialog?: boolean;
  }
}

const indexOf = ({ state }: HistoryLocation) => state.__TSR_index;

/**
 * Back from the first entry of a page that was loaded as a whole leaves the page, and nothing in it can stop that. A
 * second entry of the same address comes between. Without a dialog it is passed over.
 */
function keepFromLeaving({ history, navigate }: AnyRouter): void {
  if (indexOf(history.location) > 0) return;
  void navigate({
    to: '.',
    search: true,
    hash: true,
    resetScroll: false,
    state: { isForDialog: true },
  });
  let last = 1;
  const unsubscribe = history.subscribe(({ location }: { location: HistoryLocation }) => {
    const index = indexOf(location);
    const isBackOnFirst = index === 0 && last === 1;
    last = index;
    if (!isBackOnFirst || open.length > 0) return;
    unsubscribe();
    history.back();
  });
}

/** @param close what the dialog's own button does: it may ask before it closes */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  // The pages of shared devices have no router, and nothing to go back to.
  const router = useRouter({ warn: false });
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const me = () => closeNow();
    open.push(me);
    if (router) keepFromLeaving(router);
    let watcher: Watcher | undefined;
    const watch = () => {
      watcher = globalThis.CloseWatcher && new globalThis.CloseWatcher();
      if (!watcher) return;
      watcher.onclose = () => {
        closeNow();
        // A dialog that asks first stays open.
        if (open.includes(me)) watch();
      };
    };
    watch();
    const unblock = router?.history.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) => {
        if (action !== 'BACK') return false;
        // Once the router has returned: an open form that is in the address leaves it from there.
        addEventListener('popstate', () => open.at(-1)?.(), { once: true });
        return true;
      },
    });
    return () => {
      open.splice(open.indexOf(me), 1);
      watcher?.destroy();
      unblock?.();
    };
  }, [isOpen, router]);
}
