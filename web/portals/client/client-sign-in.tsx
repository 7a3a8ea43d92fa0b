import { company } from '#company';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { AskForLink } from '#web/features/auth/ask-for-link.tsx';
import { SessionNotice } from '#web/features/auth/session-notice.tsx';
import { requestLink } from '#web/features/client-portal/backend.ts';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export function ClientSignIn() {
  usePageTitle('Client Portal');
  return (
    <AuthLayout
      title="Client Portal"
      subtitle="We will email you a link to sign in, without a password"
      notice={<SessionNotice className="mb-5" />}
    >
      <div className="p-6 sm:p-8">
        <AskForLink
          defaultEmail=""
          condition="belongs to a contact of a client"
          purpose="to sign in"
          hint={`Not a contact yet? Ask ${company.shortName} at ${company.hotline}.`}
          request={requestLink}
        />
      </div>
    </AuthLayout>
  );
}
