import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { PrintButton } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useAcceptWatch, useCorrectWatch, useWatch, type Watch } from './watch-api.ts';
import { WatchFactsView } from './watch-facts.tsx';

const correctionSchema = z.object({
  body: textField('Correction', limits.WATCH_CORRECTIONS_BODY_MAX).min(1, 'Write the correction'),
});

function CorrectionDialog({ handoverId, onClose }: { handoverId: string; onClose: () => void }) {
  const correct = useCorrectWatch();
  const [id] = useState(() => crypto.randomUUID());
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add Correction"
      description="The signed page stays as it is. The correction is shown above it, with your name and the time."
    >
      <RecordForm
        schema={correctionSchema}
        defaultValues={{ body: '' }}
        submitLabel="Add Correction"
        failure="The correction was not added"
        save={({ body }) => correct.mutateAsync({ id, handoverId, body })}
        onSaved={() => {
          showSuccess('Correction added');
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => createFields(form).notes('body', 'Correction', { optional: false, rows: 4 })}
      </RecordForm>
    </Dialog>
  );
}

/** Who has accepted it, or the button of those who may. */
function Acceptance({ watch }: { watch: Watch }) {
  const { id, signed_by, signer, accepted_at, accepter } = watch;
  const { user } = useAuth();
  const accept = useAcceptWatch();
  if (accepted_at) {
    return (
      <Alert tone="success" title={`Accepted by ${formatName(accepter)}`}>
        {formatDateTime(accepted_at)}
      </Alert>
    );
  }
  if (signed_by === user?.id) {
    return (
      <Alert tone="warning" title="Waits to be accepted">
        You signed it, so another dispatcher, supervisor of all sites, operations manager or admin
        accepts it.
      </Alert>
    );
  }
  return (
    <Alert
      tone="warning"
      title="Waits to be accepted"
      action={
        <Button
          busy={accept.isPending}
          onClick={() => {
            accept.mutateAsync(id).then(
              () => showSuccess('Handover accepted'),
              (error: unknown) => showError('The handover was not accepted', describeError(error)),
            );
          }}
        >
          I have read it
        </Button>
      }
    >
      By accepting it you take over the watch from {formatName(signer)}.
    </Alert>
  );
}

function Corrections({ watch }: { watch: Watch }) {
  if (watch.watch_corrections.length === 0) return null;
  return (
    <Panel title="Corrections" isSmall>
      <ul className="divide-y divide-line text-sm">
        {watch.watch_corrections.map(({ id, body, created_at, author }) => (
          <li key={id} className="py-1.5 [overflow-wrap:anywhere]">
            <span className="whitespace-pre-line">{body}</span>
            <span className="block text-muted">
              {formatDateTime(created_at)}, {formatName(author)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function SignedWatch({ watch }: { watch: Watch }) {
  const [isCorrecting, setCorrecting] = useState(false);
  const { id, from_at, signed_at, signer, remarks, facts, names } = watch;
  return (
    <>
      <ScreenHeading
        title="Handover of the Watch"
        subtitle={`${formatDateTime(from_at)} to ${formatDateTime(signed_at)}, signed by ${formatName(signer)}`}
      >
        <Button variant="secondary" onClick={() => setCorrecting(true)}>
          Add Correction
        </Button>
        <PrintButton />
      </ScreenHeading>
      <div className="grid gap-4">
        <Acceptance watch={watch} />
        <Corrections watch={watch} />
        <Panel title="Remarks" isSmall>
          <p className="[overflow-wrap:anywhere] whitespace-pre-line">{remarks ?? 'None.'}</p>
        </Panel>
        <WatchFactsView facts={facts} names={names} />
      </div>
      {isCorrecting && <CorrectionDialog handoverId={id} onClose={() => setCorrecting(false)} />}
    </>
  );
}

/** A signed handover, which only grows by its acceptance and corrections. */
export function WatchScreen() {
  const { id } = useParams({ from: '/admin/operations/handover/$id' });
  return (
    <>
      <Breadcrumbs
        trail={[
          { label: 'Operations', to: '/admin/operations' },
          { label: 'Log', to: '/admin/operations/log' },
        ]}
        current="Handover"
      />
      <Loaded
        query={useWatch(id)}
        loadingText="Loading the handover..."
        missing="The handover could not be loaded"
      >
        {(watch) => <SignedWatch watch={watch} />}
      </Loaded>
    </>
  );
}
