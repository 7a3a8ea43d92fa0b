// One's own requests with their outcome, those that wait for a signal among them.
import { useState } from 'react';
import { WaitingEntry } from '#web/components/outbox/waiting-entry.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { EmptyNote } from '#web/components/ui/empty-note.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { TYPE_LABELS } from '../../labels.ts';
import { useCancelRequest } from '../api/cancel-request.ts';
import { type MyRequest as Request, useMyRequests } from '../api/my-requests.ts';
import { LEAVE_KIND } from '../kind.ts';
import { MyRequest } from './my-request.tsx';

export function MyRequests() {
  const requests = useMyRequests();
  const cancel = useCancelRequest();
  const [asking, setAsking] = useState<Request>();
  const { refused, waiting } = useOutbox();
  const unsent = [...refused, ...waiting].filter(({ kind }) => kind === LEAVE_KIND);
  return (
    <>
      {unsent.length > 0 && (
        <ul
          aria-label="Not sent yet"
          className="mb-4 divide-y divide-line rounded-sm border border-line"
        >
          {unsent.map((entry) => (
            <WaitingEntry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      <Loaded query={requests} loadingText="Loading your requests..." failure="Error">
        {(rows) => (
          <>
            {rows.length + unsent.length === 0 && (
              <EmptyNote>You have not asked for leave yet.</EmptyNote>
            )}
            <ul aria-label="My requests" className="grid gap-3">
              {rows.map((request) => (
                <MyRequest key={request.id} request={request} onCancel={() => setAsking(request)} />
              ))}
            </ul>
            {asking && (
              <ConfirmDialog
                title="Cancel this request?"
                confirmLabel="Cancel Request"
                cancelLabel="Keep Request"
                success="Leave Request Cancelled"
                onConfirm={() => cancel.mutateAsync(asking.id)}
                onClose={() => setAsking(undefined)}
              >
                {TYPE_LABELS[asking.type]}, {formatPeriod(asking.start_date, asking.end_date)}. To
                have this leave after all, you would have to ask for it again.
              </ConfirmDialog>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
