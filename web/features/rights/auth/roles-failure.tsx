import { Failure } from '#web/components/layout/screen.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { SignOutButton } from './sign-out-button.tsx';

/** In place of a portal whose user's roles could not be read, with the reason. */
export function RolesFailure() {
  const { rolesError, reloadRoles } = useAuth();
  return (
    <Failure
      title="Your permissions could not be loaded"
      message={describeError(rolesError)}
      onRetry={reloadRoles}
      otherAction={<SignOutButton label="Logout" variant="ghost" />}
    />
  );
}
