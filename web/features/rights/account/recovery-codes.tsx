import { useQuery } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import { useId, useState } from 'react';
import { company } from '#company';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { CopyButton } from '#web/components/ui/copy-button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { download } from '#web/lib/files/download.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { signInName } from '#web/lib/session/sign-in-name.ts';
import { SectionState } from './account-section.tsx';
import { createRecoveryCodes, recoveryCodesQuery } from './api.ts';

const remaining = (left: number) =>
  left === 0 ? 'You have none.' : `You have ${left} left. Each works once.`;

export function RecoveryCodes({ onRenew }: { onRenew: () => void }) {
  const { data, error, refetch } = useQuery(recoveryCodesQuery());
  const [isConfirming, setConfirming] = useState(false);
  return (
    <div className="mt-7 border-t border-line pt-5">
      <h3 className="font-semibold">Recovery codes</h3>
      <p className="mt-1 text-sm text-pretty text-muted">
        In case you lose your device. {data !== undefined && remaining(data)}
      </p>
      {data === undefined ? (
        <SectionState error={error} onRetry={() => refetch()} />
      ) : (
        <Button
          variant="secondary"
          className="mt-3 max-sm:w-full"
          onClick={() => (data > 0 ? setConfirming(true) : onRenew())}
        >
          {data > 0 ? 'Create new codes' : 'Create recovery codes'}
        </Button>
      )}
      {isConfirming && (
        <ConfirmDialog
          title="Create new recovery codes?"
          confirmLabel="Create new codes"
          onConfirm={async () => onRenew()}
          onClose={() => setConfirming(false)}
        >
          Your existing codes will stop working.
        </ConfirmDialog>
      )}
    </div>
  );
}

export function RecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const { user } = useAuth();
  const id = useId();
  // Created once each time the dialog opens.
  const { data, error, refetch } = useQuery({
    queryKey: ['new-recovery-codes', id],
    queryFn: createRecoveryCodes,
    refetchInterval: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const heading = `Recovery codes of ${signInName(user)} for ${company.name}`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Save your recovery codes"
      description="For the day you lose your phone. They are shown only now: print them or write them down, and keep them at home."
    >
      {data ? (
        <>
          <div data-print>
            <p className="hidden pb-4 font-semibold print:block">{heading}</p>
            <ol className="grid gap-x-8 gap-y-2 rounded-sm bg-sunken p-5 font-mono text-[0.9375rem] sm:grid-cols-2">
              {data.map((code) => (
                <li key={code}>{code}</li>
              ))}
            </ol>
          </div>
          <p className="mt-4 text-sm text-pretty text-muted">
            Each code lets you sign in once without your second step. You then set it up again.
          </p>
          <div className="mt-5 grid gap-3 sm:grid-cols-3">
            <CopyButton text={data.join('\n')} label="Copy" />
            <Button
              variant="secondary"
              onClick={() => {
                const text = `${heading}\n\n${data.join('\n')}\n`;
                download('recovery-codes.txt', new Blob([text], { type: 'text/plain' }));
              }}
            >
              <Download aria-hidden="true" className="size-4" />
              Download
            </Button>
            <Button variant="secondary" onClick={() => print()}>
              <Printer aria-hidden="true" className="size-4" />
              Print
            </Button>
          </div>
          <Button className="mt-6 w-full" onClick={onClose}>
            I have saved them
          </Button>
        </>
      ) : (
        <SectionState error={error} onRetry={() => refetch()} />
      )}
    </Dialog>
  );
}
