// A temporary password must be changed before anything else opens.
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode } from 'react';
import { Failure } from '#web/components/layout/failure.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { useLoadFailure } from '#web/components/ui/use-load-failure.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { profileQuery } from '#web/lib/session/profile-query.ts';
import { SignOutButton } from './sign-out-button.tsx';

const FirstPassword = lazy(() =>
  import('./first-password.tsx').then((module) => ({ default: module.FirstPassword })),
);

export function RequireOwnPassword({ children }: { children: ReactNode }) {
  const { user } = useAuth();
  const query = useQuery(profileQuery(user?.id));
  const { reason, retry } = useLoadFailure(query, 'Error');
  const { data, isFetching } = query;
  if (data) return data.must_change_password ? <FirstPassword /> : children;
  if (!reason) return <Loading className="min-h-dvh" />;
  return (
    <Failure
      title="Your profile could not be loaded"
      message={`You are signed in, but your data could not be loaded. Try again in a moment. Reason: ${reason}`}
      busy={isFetching}
      onRetry={retry}
      otherAction={<SignOutButton label="Logout" variant="ghost" />}
    />
  );
}
