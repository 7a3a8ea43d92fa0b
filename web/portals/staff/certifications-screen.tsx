// /staff/certifications: one's own, to read.
import { MyCertifications } from '#web/features/my-record/components/my-certifications.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { RecordColumn } from './record-column.tsx';

export function CertificationsScreen() {
  const { user } = useAuth();
  usePageTitle('My Certifications');
  return (
    user && (
      <RecordColumn>
        <MyCertifications userId={user.id} />
      </RecordColumn>
    )
  );
}
