import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { DocumentButton } from '#web/components/documents/document-dialog.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { type DocumentOwner, storeDocument } from '#web/lib/files/documents.ts';
import { formatMonths, today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { FileDialog, PayDialog, ReopenDialog, type ReturnChanges } from './return-dialogs.tsx';
import { MONTH_STATES, type TaxReturn } from './tax-return.ts';

export function ReturnState({ status }: { status: string }) {
  const state = MONTH_STATES[status];
  return state && <Badge tone={state.tone}>{state.label}</Badge>;
}

type PrepareButtonProps = { isAgain?: boolean; onPrepare: () => Promise<void> };

export function PrepareButton({ isAgain = false, onPrepare }: PrepareButtonProps) {
  const { save, busy } = useSave({ success: 'Return prepared', failure: 'Return not prepared' });
  return (
    <Button
      variant={isAgain ? 'secondary' : 'primary'}
      busy={busy}
      onClick={() => void save(onPrepare)}
    >
      {isAgain ? 'Prepare Again' : 'Prepare Return'}
    </Button>
  );
}

type ReturnStepsProps = {
  taxReturn: TaxReturn;
  onPrepare: () => Promise<void>;
  changes: ReturnChanges;
  documentOf: DocumentOwner;
  /** Root of the query keys that show the return. */
  documentKey: QueryKey;
};

/** What can be done with a return that is prepared, filed or paid. */
export function ReturnSteps({
  taxReturn,
  onPrepare,
  changes,
  documentOf,
  documentKey,
}: ReturnStepsProps) {
  const [step, setStep] = useState<'file' | 'pay' | 'reopen'>();
  const { user } = useAuth();
  const { id, status, month, filed_by, document_path } = taxReturn;
  const isOver = month.slice(0, 7) < today().slice(0, 7);
  const isOwn = filed_by === user?.id;
  const dialog = { taxReturn, changes, onClose: () => setStep(undefined) };
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        {status === 'prepared' && (
          <>
            <PrepareButton isAgain onPrepare={onPrepare} />
            <Button disabled={!isOver} onClick={() => setStep('file')}>
              File Return
            </Button>
            {!isOver && <p className="text-sm text-muted">It is filed when the month is over.</p>}
          </>
        )}
        {status === 'filed' && <Button onClick={() => setStep('pay')}>Note Payment</Button>}
        {status !== 'prepared' && (
          <>
            <DocumentButton
              variant="secondary"
              noun="Document"
              name={`the return of ${formatMonths(month, month)}`}
              record={{
                id,
                path: document_path,
                store: (path) => storeDocument(documentOf, id, path),
                key: documentKey,
              }}
            />
            <Button variant="secondary" disabled={isOwn} onClick={() => setStep('reopen')}>
              {status === 'paid' ? 'Take Payment Back' : 'Reopen Return'}
            </Button>
            {isOwn && (
              <p className="text-sm text-muted">
                You filed it: another admin or finance officer takes it back.
              </p>
            )}
          </>
        )}
      </div>
      {step === 'file' && <FileDialog {...dialog} />}
      {step === 'pay' && <PayDialog {...dialog} />}
      {step === 'reopen' && <ReopenDialog {...dialog} />}
    </>
  );
}
