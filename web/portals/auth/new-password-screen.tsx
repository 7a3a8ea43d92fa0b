// Target of recovery links. An expired link can be requested again here.
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { mayEnterPortal } from '#shared/screens.ts';
import { PASSWORD_MIN } from '#web/components/form/credential-fields.tsx';
import { NewPasswordForm } from '#web/components/form/new-password-form.tsx';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { ForgotPassword } from '#web/features/rights/auth/forgot-password.tsx';
import { RequireIdentity } from '#web/features/rights/auth/require-session.tsx';
import { SessionNotice } from '#web/features/rights/auth/session-notice.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { nextAddress } from '#web/lib/session/arrival.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useNotice } from '#web/lib/session/notice.ts';

const TITLE = 'Set a new password';
const route = getRouteApi('/auth/new-password');

/** @returns continues to the screen that was requested before the password reset, or to the given one */
function useContinue() {
  const { history } = useRouter();
  const { next } = route.useSearch();
  return (otherwise: string) => history.push(nextAddress(next) ?? otherwise);
}

function AskForLink() {
  const continueTo = useContinue();
  return (
    <AuthLayout
      title={TITLE}
      subtitle="We will email you a link to set one"
      notice={<SessionNotice className="mb-5" />}
    >
      <div className="p-6 sm:p-8">
        <ForgotPassword defaultEmail="" onBack={() => continueTo('/auth')} />
      </div>
    </AuthLayout>
  );
}

function SetPassword() {
  const { user, roles } = useAuth();
  const continueTo = useContinue();
  function saved() {
    showSuccess('Password changed', 'Your other devices have been signed out.');
    continueTo(mayEnterPortal(roles) ? '/admin' : '/staff');
  }
  return (
    <AuthLayout
      title={TITLE}
      subtitle={`For ${user?.email}`}
      notice={<SessionNotice className="mb-5" />}
    >
      <div className="p-6 sm:p-8">
        <NewPasswordForm
          email={user?.email ?? ''}
          minLength={PASSWORD_MIN}
          submitLabel="Save password"
          onSaved={saved}
        />
      </div>
    </AuthLayout>
  );
}

export function NewPasswordScreen() {
  const notice = useNotice();
  // Even if a user is signed in: the link may have been for another account.
  const [isLinkExpired] = useState(notice?.tone === 'danger');
  usePageTitle(TITLE);
  if (isLinkExpired) return <AskForLink />;
  return (
    <RequireIdentity signIn={<AskForLink />}>
      <SetPassword />
    </RequireIdentity>
  );
}
