import { useCallback, useEffect, useState } from 'react';
import { useMediaQuery } from '#web/lib/app/media-query.ts';

const COOKIE = 'sidebar_state';
const MAX_AGE_S = 60 * 60 * 24 * 7;

function readCookie(): boolean {
  return !document.cookie.split('; ').includes(`${COOKIE}=false`);
}

function writeCookie(open: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox.
  document.cookie = `${COOKIE}=${open}; path=/; max-age=${MAX_AGE_S}; samesite=lax`;
}

export type SidebarState = {
  /** Below 768 px: a drawer over the page, initially closed. */
  isDrawer: boolean;
  open: boolean;
  setOpen: (open: boolean) => void;
};

/** Open or not, remembered in a cookie for 7 days; Ctrl/Cmd+B toggles it. */
export function useSidebarState(): SidebarState {
  const isDrawer = useMediaQuery('(width < 48rem)');
  const [expanded, setExpanded] = useState(readCookie);
  const [drawerOpen, setDrawerOpen] = useState(false);
  const open = isDrawer ? drawerOpen : expanded;

  const setOpen = useCallback(
    (next: boolean) => {
      if (isDrawer) {
        setDrawerOpen(next);
      } else {
        setExpanded(next);
        writeCookie(next);
      }
    },
    [isDrawer],
  );

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isShortcut || event.key.toLowerCase() !== 'b') return;
      event.preventDefault();
      setOpen(!open);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [open, setOpen]);

  return { isDrawer, open, setOpen };
}
