import { useState } from 'react';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { ClosingMonths } from './closing-months.tsx';
import {
  type Closing,
  closeSchema,
  reopenSchema,
  useAskToReopen,
  useBooks,
  useCloseBooks,
  useDecideReopening,
} from './closings-api.ts';

const daysOf = ({ kind, closed_to }: Pick<Closing, 'kind' | 'closed_to'>) => {
  if (closed_to === null) return 'Reopened, every day';
  return kind === 'close'
    ? `Closed up to ${formatDay(closed_to)}`
    : `Reopened from ${formatDay(dayAfter(closed_to, 1))}`;
};

function outcomeOf({ kind, status, decider }: Closing): string {
  if (kind === 'close') return '';
  if (status === 'asked') return 'Waits for another person';
  return `${status === 'declined' ? 'Declined' : 'Approved'} by ${formatName(decider)}`;
}

const COLUMNS: Column<Closing>[] = [
  { header: 'Books', card: 'title', className: 'font-semibold', cell: daysOf },
  { header: 'When', card: 'aside', cell: ({ requested_at }) => formatDateTime(requested_at) },
  { header: 'By', card: 'line', cell: ({ requester }) => formatName(requester) },
  { header: 'Reason', card: 'text', cell: ({ reason }) => reason ?? '' },
  { header: 'Decision', card: 'line', cell: outcomeOf },
];

type CloseDialogProps = { day: string; onClose: () => void };

function CloseDialog({ day, onClose }: CloseDialogProps) {
  const { mutateAsync } = useCloseBooks();
  return (
    <EntryDialog
      title="Close the Books"
      description="Nothing dated on or before this day can be added, changed or voided: receipts, invoices, credit notes, pay runs, payments, advances, expenses, entries and statements. Lock the pay runs of the period first."
      schema={closeSchema}
      defaultValues={{ day }}
      submitLabel="Close the Books"
      success="Books closed"
      failure="Books not closed"
      save={(form) => mutateAsync(form)}
      onClose={onClose}
    >
      {(form) => <FieldGrid>{createFields(form).day('day', 'Close Up To')}</FieldGrid>}
    </EntryDialog>
  );
}

function ReopenDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync } = useAskToReopen();
  return (
    <EntryDialog
      title="Ask to Reopen the Books"
      description="Another admin or finance user, who didn’t close them, must approve it."
      schema={reopenSchema}
      defaultValues={{ day: '', reason: '' }}
      submitLabel="Ask to Reopen"
      success="Asked to reopen the books"
      failure="Not asked to reopen the books"
      save={(form) => mutateAsync(form)}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.day('day', 'Stay Closed Up To', { hint: 'Leave empty to reopen every day' })}
            {field.text('reason', 'Reason', { wide: true })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

/** A request to reopen, with what the user can do about it. */
function AskedNote({ asked }: { asked: Closing }) {
  const { user } = useAuth();
  const { mutateAsync } = useDecideReopening();
  const approving = useSave({ success: 'Books reopened', failure: 'Books not reopened' });
  const isOwn = asked.requested_by === user?.id;
  const declining = useSave({
    success: isOwn ? 'Request withdrawn' : 'Request declined',
    failure: 'Request not decided',
  });
  const days =
    asked.closed_to === null ? 'every day' : `from ${formatDay(dayAfter(asked.closed_to, 1))}`;
  return (
    <Alert
      title={`${isOwn ? 'You' : formatName(asked.requester)} asked to reopen the books, ${days}`}
      action={
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            busy={declining.busy}
            onClick={() => void declining.save(() => mutateAsync({ id: asked.id, approve: false }))}
          >
            {isOwn ? 'Withdraw' : 'Decline'}
          </Button>
          {!isOwn && (
            <Button
              busy={approving.busy}
              onClick={() =>
                void approving.save(() => mutateAsync({ id: asked.id, approve: true }))
              }
            >
              {approving.busy ? 'Reopening...' : 'Reopen'}
            </Button>
          )}
        </div>
      }
    >
      {asked.reason} {isOwn && 'Another person, who didn’t close the books, must approve it.'}
    </Alert>
  );
}

export function ClosingsPanel() {
  const [closing, setClosing] = useState<string>();
  const [isReopening, setReopening] = useState(false);
  return (
    <>
      <Loaded query={useBooks()} loadingText="Loading the closing date...">
        {({ closedTo, asked, history }) => (
          <div className="grid gap-6">
            <div className="flex flex-wrap items-center justify-between gap-4">
              <p className="text-lg font-semibold">
                {closedTo === null
                  ? 'The books are open.'
                  : `The books are closed up to ${formatDay(closedTo)}.`}
              </p>
              <div className="flex flex-wrap gap-3">
                {closedTo !== null && !asked && (
                  <Button variant="secondary" onClick={() => setReopening(true)}>
                    Ask to Reopen
                  </Button>
                )}
              </div>
            </div>
            {asked && <AskedNote asked={asked} />}
            <ClosingMonths closedTo={closedTo} {...(!asked && { onClose: setClosing })} />
            {history.length === 0 ? (
              <EmptyNote>The books have never been closed.</EmptyNote>
            ) : (
              <DataTable
                label="Closings of the books"
                columns={COLUMNS}
                rows={history}
                rowId={({ id }) => id}
                room={48}
              />
            )}
          </div>
        )}
      </Loaded>
      {closing && <CloseDialog day={closing} onClose={() => setClosing(undefined)} />}
      {isReopening && <ReopenDialog onClose={() => setReopening(false)} />}
    </>
  );
}
