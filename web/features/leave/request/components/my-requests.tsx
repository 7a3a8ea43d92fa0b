// One's own requests with their outcome.
import { useState } from 'react';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { EmptyNote } from '#web/components/ui/empty-note.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatPeriod } from '#web/lib/format.ts';
import { TYPE_LABELS } from '../../labels.ts';
import { useCancelRequest } from '../api/cancel-request.ts';
import { type MyRequest as Request, useMyRequests } from '../api/my-requests.ts';
import { MyRequest } from './my-request.tsx';

export function MyRequests() {
  const requests = useMyRequests();
  const cancel = useCancelRequest();
  const [asking, setAsking] = useState<Request>();
  return (
    <Loaded query={requests} loadingText="Loading your requests...">
      {(rows) => (
        <>
          {rows.length === 0 && <EmptyNote>You have not asked for leave yet.</EmptyNote>}
          <ul aria-label="My requests" className="grid gap-3">
            {rows.map((request) => (
              <MyRequest key={request.id} request={request} onCancel={() => setAsking(request)} />
            ))}
          </ul>
          {asking && (
            <ConfirmDialog
              title="Cancel this request?"
              confirmLabel="Cancel Request"
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
  );
}
