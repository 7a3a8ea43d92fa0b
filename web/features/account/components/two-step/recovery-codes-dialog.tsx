// New recovery codes, shown this once: to copy, to keep as a file, or on paper.
import { useQuery } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import { useId } from 'react';
import { company } from '#company';
import { Button } from '#web/components/ui/button.tsx';
import { CopyButton } from '#web/components/ui/copy-button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { download } from '#web/lib/files/files.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { createRecoveryCodes } from '../../api/recovery-codes.ts';
import { SectionState } from '../section-state.tsx';

export function RecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const { user } = useAuth();
  const id = useId();
  // Made once for each time the dialog opens.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['new-recovery-codes', id],
    queryFn: createRecoveryCodes,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const heading = `Recovery codes of ${user?.email} for ${company.name}`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Save your recovery codes"
      description="They are shown only now. Keep them where you do not keep your phone."
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
            Each code signs you in once without your second step, which you then set up anew.
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
        <SectionState error={error} isFetching={isFetching} onRetry={() => refetch()} />
      )}
    </Dialog>
  );
}
