// Lets through whoever has a password of their own; a temporary one must be changed before anything else opens.
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { ScreenFailure } from '#web/components/layout/screen-failure.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { profileQuery } from '#web/lib/session/profile-query.ts';

const FirstPassword = lazy(() =>
  import('./first-password.tsx').then((module) => ({ default: module.FirstPassword })),
);

export function RequireOwnPassword({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  const { data, error, refetch } = useQuery(profileQuery(user?.id));
  if (data) return data.must_change_password ? <FirstPassword /> : children;
  if (!error) return <Loading className="min-h-dvh" />;
  return (
    <ScreenFailure
      title="Your profile could not be loaded"
      error={error}
      onRetry={() => refetch()}
    />
  );
}
