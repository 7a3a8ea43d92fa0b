import { company } from '#company';
import { AuthLayout } from '#web/components/layout/auth-layout.tsx';
import { requestLink } from '#web/features/portal/client-portal/backend.ts';
import { AskForLink } from '#web/features/rights/auth/ask-for-link.tsx';
import { SessionNotice } from '#web/features/rights/auth/session-notice.tsx';
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
