// Lets through whoever is signed in. Everyone else sees a sign-in at the same address, so that a deep link opens after it.
import type { ReactNode } from 'react';
import { Loading } from '#web/components/ui/loading.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';

type RequireSessionProps = {
  /** The sign-in that fits the place. */
  signIn: ReactNode;
  children: ReactNode;
};

export function RequireSession({ signIn, children }: RequireSessionProps) {
  const { user, loading } = useAuth();
  if (loading) return <Loading className="min-h-dvh" />;
  return user ? children : signIn;
}
