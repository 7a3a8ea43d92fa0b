import { useState } from 'react';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import {
  type Dispute,
  disputeSchema,
  useEndDispute,
  useOpenDispute,
} from '#web/lib/data/disputes.ts';
import { formatDay } from '#web/lib/format/dates.ts';

export const DisputeBadge = () => <Badge tone="orange">In dispute</Badge>;

type OpenProps = {
  client: string;
  /** Without one the client contests its whole account. */
  invoice?: string;
  onClose: () => void;
};

export function OpenDisputeDialog({ client, invoice, onClose }: OpenProps) {
  const { mutateAsync } = useOpenDispute();
  return (
    <EntryDialog
      title="Note a Dispute"
      description="The client gets no reminder until the dispute is ended."
      schema={disputeSchema}
      defaultValues={{ reason: '' }}
      submitLabel="Note Dispute"
      success="Dispute noted"
      failure="Dispute not noted"
      save={({ reason }) => mutateAsync({ client, reason, ...(invoice ? { invoice } : {}) })}
      onClose={onClose}
    >
      {(form) => (
        <FieldGrid>
          {createFields(form).text('reason', 'What the Client Contests', { wide: true })}
        </FieldGrid>
      )}
    </EntryDialog>
  );
}

function EndDisputeDialog({ dispute, onClose }: { dispute: Dispute; onClose: () => void }) {
  const { mutateAsync } = useEndDispute();
  return (
    <EntryDialog
      title="End Dispute"
      description="Reminders go again from the next day that is set for them."
      schema={disputeSchema}
      defaultValues={{ reason: '' }}
      submitLabel="End Dispute"
      success="Dispute ended"
      failure="Dispute not ended"
      save={({ reason }) => mutateAsync({ id: dispute.id, outcome: reason })}
      onClose={onClose}
    >
      {(form) => (
        <FieldGrid>
          {createFields(form).text('reason', 'How It Was Settled', { wide: true })}
        </FieldGrid>
      )}
    </EntryDialog>
  );
}

/** Each with its reason and day; nothing without any. */
export function DisputeNotices({ disputes }: { disputes: readonly Dispute[] }) {
  const [ending, setEnding] = useState<Dispute>();
  if (disputes.length === 0) return null;
  return (
    <div className="grid gap-3">
      {disputes.map((dispute) => (
        <Alert
          key={dispute.id}
          tone="warning"
          title={`${dispute.invoices?.number ?? 'The whole account'} is in dispute since ${formatDay(dispute.since)}`}
          action={
            <Button variant="secondary" onClick={() => setEnding(dispute)}>
              End Dispute
            </Button>
          }
        >
          {dispute.reason} The client gets no reminder.
        </Alert>
      ))}
      {ending && <EndDisputeDialog dispute={ending} onClose={() => setEnding(undefined)} />}
    </div>
  );
}
