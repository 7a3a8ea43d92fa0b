import { useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { NewPasswordForm } from '#web/components/form/new-password-form.tsx';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { profileQuery, rolesQuery } from '#web/lib/session/session-queries.ts';
import { signInName } from '#web/lib/session/sign-in-name.ts';
import { SessionNotice } from './session-notice.tsx';
import { SignOutButton } from './sign-out-button.tsx';

/** The same as for the temporary password. */
const INVITED_PASSWORD_MIN = 8;

export function FirstPassword() {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  usePageTitle('Choose your password');

  async function openPortal() {
    // Until the password is changed the database returns no roles.
    await queryClient.resetQueries({ queryKey: rolesQuery(user?.id).queryKey });
    await queryClient.invalidateQueries({ queryKey: profileQuery(user?.id).queryKey });
    showSuccess('Password changed');
  }
  return (
    <AuthLayout
      title="Choose your password"
      subtitle="You signed in with a temporary password or a start code"
      notice={<SessionNotice className="mb-5" />}
      wayOut={<SignOutButton label="Back to sign in" variant="link" Icon={ArrowLeft} />}
    >
      <div className="p-6 sm:p-8">
        <p className="mb-5 text-pretty">
          Only you should know your password. Choose one now to open your portal.
          <span className="mt-2 block text-sm wrap-anywhere text-muted">
            Signed in as {signInName(user)}
          </span>
        </p>
        <NewPasswordForm
          email={signInName(user)}
          minLength={INVITED_PASSWORD_MIN}
          submitLabel="Save and continue"
          hasFocus
          onSaved={openPortal}
        />
      </div>
    </AuthLayout>
  );
}
