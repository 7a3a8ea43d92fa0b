// The portal has half a dozen places without parameters, so it navigates by itself; a router is a third of its code.
import { type ComponentProps, type MouseEvent, useSyncExternalStore } from 'react';

const CHANGED = 'place-changed';

/** @returns the path of the open place, without a trailing slash */
export const placeHere = () => location.pathname.replace(/(.)\/+$/, '$1');

function subscribe(listener: () => void) {
  addEventListener('popstate', listener);
  addEventListener(CHANGED, listener);
  return () => {
    removeEventListener('popstate', listener);
    removeEventListener(CHANGED, listener);
  };
}

export const usePlace = () => useSyncExternalStore(subscribe, placeHere);

function goTo(path: string): void {
  if (path !== placeHere()) history.pushState(null, '', path);
  scrollTo(0, 0);
  dispatchEvent(new Event(CHANGED));
}

type PlaceLinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string; onOpen?: () => void };

export function PlaceLink({ to, onOpen, ...rest }: PlaceLinkProps) {
  function open(event: MouseEvent) {
    onOpen?.();
    // A new tab or window is the browser's.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    goTo(to);
  }
  return <a href={to} onClick={open} {...rest} />;
}
