import { useState } from 'react';
import { WaitingEntry } from '#web/components/outbox/waiting-list.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { LEAVE_KIND } from '#web/lib/outbox/kinds.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { LEAVE_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type OwnRequest as Request, useCancelRequest, useOwnRequests } from './api.ts';

type RequestCardProps = { request: Request; onCancel: () => void };

function RequestCard({ request, onCancel }: RequestCardProps) {
  const { type, start_date, end_date, reason, status, decision_note } = request;
  const period = formatPeriod(start_date, end_date);
  return (
    <li className="rounded-sm border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h3 className="font-semibold">{LEAVE_TYPE_LABELS[type]}</h3>
        <StatusBadge status={status} />
      </div>
      <p className="text-sm">{period}</p>
      <p className="mt-2 text-sm break-words whitespace-pre-line text-muted">{reason}</p>
      {decision_note && (
        <p className="mt-2 border-l-2 border-accent-fill pl-3 text-sm break-words whitespace-pre-line">
          <span className="font-semibold">Note: </span>
          {decision_note}
        </p>
      )}
      {status === 'pending' && (
        <div className="-mr-2 -mb-2 flex justify-end">
          <Button
            variant="danger-ghost"
            className="px-3.5"
            aria-label={`Cancel request for ${LEAVE_TYPE_LABELS[type]}, ${period}`}
            onClick={onCancel}
          >
            Cancel Request
          </Button>
        </div>
      )}
    </li>
  );
}

export function OwnRequests() {
  const requests = useOwnRequests();
  const cancel = useCancelRequest();
  const [cancelling, setCancelling] = useState<Request>();
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
              <EmptyNote>You have not requested any leave yet.</EmptyNote>
            )}
            <ul aria-label="My requests" className="grid gap-3">
              {rows.map((request) => (
                <RequestCard
                  key={request.id}
                  request={request}
                  onCancel={() => setCancelling(request)}
                />
              ))}
            </ul>
            {cancelling && (
              <ConfirmDialog
                title="Cancel this request?"
                confirmLabel="Cancel Request"
                cancelLabel="Keep Request"
                success="Leave Request Cancelled"
                onConfirm={() => cancel.mutateAsync(cancelling.id)}
                onClose={() => setCancelling(undefined)}
              >
                {LEAVE_TYPE_LABELS[cancelling.type]},{' '}
                {formatPeriod(cancelling.start_date, cancelling.end_date)}. To take this leave after
                all, you must request it again.
              </ConfirmDialog>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}
