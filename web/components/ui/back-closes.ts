// Back closes the topmost dialog and stays on the page, as people expect of a sheet on a phone.
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

/** The open dialogs, the topmost last. */
const open: (() => void)[] = [];

/** Chromium on Android calls it for Back even where there is no page to go back to. TypeScript doesn't know it yet. */
type Watcher = { destroy: () => void; onclose: (() => void) | null };
declare global {
  var CloseWatcher: (new () => Watcher) | undefined;
}

/** @param close what the dialog's own button does: it may ask before it closes */
export function useBackCloses(isOpen: boolean, close: () => void): void {
  // The pages of shared devices have no router, and nothing to go back to.
  const history = useRouter({ warn: false })?.history;
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const me = () => closeNow();
    open.push(me);
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
    const unblock = history?.block({
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
  }, [isOpen, history]);
}
