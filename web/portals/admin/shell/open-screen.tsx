import { Outlet, useLocation } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';
import { useScreenFocus } from '#web/components/layout/use-screen-focus.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { rememberScreen } from '#web/lib/session/first-screen.ts';
import { AccessDenied } from '../access-denied.tsx';
import { mayOpen } from '../navigation.ts';

/**
 * A screen visited before has cached rows, and rendering them would delay the sidebar's response to the click: it
 * renders in a deferred pass. A new screen renders at once, because that starts its queries.
 */
function useCanRender(pathname: string): boolean {
  const [visited] = useState(() => new Set<string>());
  const isCurrent = useDeferredValue(pathname) === pathname;
  useEffect(() => {
    if (isCurrent) visited.add(pathname);
  }, [isCurrent, visited, pathname]);
  return isCurrent || !visited.has(pathname);
}

/** Apart from the shell, so that navigation does not re-render the shell. */
export function OpenScreen() {
  const { roles, user } = useAuth();
  // The path only: searches and open records change the rest of the address often.
  const pathname = useLocation({ select: (location) => location.pathname });
  const canRender = useCanRender(pathname);
  useScreenFocus(pathname);
  const isAllowed = mayOpen(roles, pathname);
  useEffect(() => {
    if (user && isAllowed) rememberScreen(user.id, pathname);
  }, [user, isAllowed, pathname]);
  if (!isAllowed) return <AccessDenied />;
  return canRender ? <Outlet /> : null;
}
