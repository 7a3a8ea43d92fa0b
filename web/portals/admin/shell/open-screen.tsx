// The screen that the address names, or why it stays closed. Apart from its frame, which no change of screen draws anew.
import { Outlet, useLocation } from '@tanstack/react-router';
import { useAuth } from '#web/lib/session/auth.ts';
import { AccessDenied } from '../access-denied.tsx';
import { mayOpen } from '../navigation.ts';
import { useAnsweredPress } from './use-answered-press.ts';

export function OpenScreen() {
  const { roles } = useAuth();
  // The path only: searching and opening rows change the rest of the address all the time.
  const pathname = useLocation({ select: (location) => location.pathname });
  const isDrawn = useAnsweredPress(pathname);
  if (!mayOpen(roles, pathname)) return <AccessDenied />;
  return isDrawn ? <Outlet /> : null;
}
