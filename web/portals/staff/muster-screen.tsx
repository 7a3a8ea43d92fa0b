import { Alert } from '#web/components/ui/alert.tsx';
import { MusterList } from '#web/features/clocking/muster/muster-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';

export function MusterScreen() {
  const { user, isAdmin, isOpsManager, isSupervisor } = useAuth();
  usePageTitle('Muster');
  if (!user) return null;
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-6">
      {isAdmin || isOpsManager || isSupervisor ? (
        <MusterList userId={user.id} />
      ) : (
        <Alert title="Only supervisors muster guards." />
      )}
    </div>
  );
}
