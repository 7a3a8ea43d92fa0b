// /staff/certifications: one's own, to read.
import { GuardCertifications } from '#web/features/certifications/guard/guard-certifications.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { RecordColumn } from './record-column.tsx';

export function CertificationsScreen() {
  const { user } = useAuth();
  usePageTitle('My Certifications');
  return (
    user && (
      <RecordColumn>
        <GuardCertifications userId={user.id} />
      </RecordColumn>
    )
  );
}
