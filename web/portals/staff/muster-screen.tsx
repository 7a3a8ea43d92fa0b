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
        <>
          <MusterList userId={user.id} />
          <a
            href="/guide/supervisor.html#muster"
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center justify-self-start font-semibold underline decoration-accent/45 underline-offset-4 hover:decoration-accent"
          >
            How a muster works<span className="sr-only"> (opens in a new tab)</span>
          </a>
        </>
      ) : (
        <Alert title="Only supervisors muster guards." />
      )}
    </div>
  );
}
