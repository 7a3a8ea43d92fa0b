import { Check, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Textarea } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatTimeRange, formatWeekday } from '#web/lib/format/dates.ts';
import { type GuardRequest, useDecideRequests, useGuardRequests } from './request-api.ts';

const whenOf = (start: string, end: string, zone: string) =>
  `${formatWeekday(start, zone).split(',')[0]}, ${formatTimeRange(start, end, zone)}`;

function askedOf({ kind, full_name, partner_name }: GuardRequest): string {
  return kind === 'swap'
    ? `${full_name} gives this shift to ${partner_name}`
    : `${full_name} asks for this shift`;
}

function RequestRow(props: {
  request: GuardRequest;
  isChosen: boolean;
  onChoose: () => void;
  isBusy: boolean;
  onApprove: () => void;
  onDecline: () => void;
}) {
  const { request, isChosen, onChoose, isBusy, onApprove, onDecline } = props;
  const { site_name, timezone, start_time, end_time, return_start, return_end } = request;
  const when = whenOf(start_time, end_time, timezone);
  const asked = askedOf(request);
  const boxId = `request-${request.id}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 sm:px-5">
      <div className="relative flex min-h-11 min-w-64 flex-1 items-center gap-3">
        <Checkbox
          id={boxId}
          checked={isChosen}
          disabled={request.obstacle !== null}
          onChange={onChoose}
        />
        <label htmlFor={boxId} className="min-w-0">
          <span className="block font-semibold">{asked}</span>
          <span className="block text-sm tabular-nums">
            {site_name}, {when}
            {return_start && return_end && ` for ${whenOf(return_start, return_end, timezone)}`}
          </span>
          {request.note && (
            <span className="block text-sm break-words text-muted">{request.note}</span>
          )}
          {request.obstacle && (
            <span className="mt-0.5 flex items-center gap-1.5 text-sm text-warning">
              <TriangleAlert aria-hidden="true" className="size-4 shrink-0" /> {request.obstacle}
            </span>
          )}
        </label>
      </div>
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button
          variant="secondary"
          className="px-3.5"
          aria-label={`Approve: ${asked}, ${site_name}, ${when}`}
          disabled={request.obstacle !== null}
          busy={isBusy}
          onClick={onApprove}
        >
          <Check aria-hidden="true" className="size-4" /> Approve
        </Button>
        <Button
          variant="ghost"
          className="px-3.5"
          aria-label={`Decline: ${asked}, ${site_name}, ${when}`}
          onClick={onDecline}
        >
          <X aria-hidden="true" className="size-4" /> Decline
        </Button>
      </div>
    </li>
  );
}

const noteSchema = z.object({
  note: textField('Note', limits.OFFERS_NOTE_MAX),
});

type DeclineProps = { ids: string[]; onDone: () => void; onClose: () => void };

function DeclineRequestsDialog({ ids, onDone, onClose }: DeclineProps) {
  const decide = useDecideRequests();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={ids.length === 1 ? 'Decline this request?' : `Decline ${ids.length} requests?`}
    >
      <RecordForm
        schema={noteSchema}
        defaultValues={{ note: '' }}
        submitLabel="Decline"
        savingLabel="Declining..."
        submitVariant="danger"
        save={({ note }) => decide.mutateAsync({ ids, approves: false, note })}
        onSaved={() => {
          showSuccess(ids.length === 1 ? 'Request Declined' : 'Requests Declined');
          onDone();
          onClose();
        }}
        onCancel={onClose}
      >
        {({ register, formState: { errors } }) => (
          <div className="grid gap-4">
            <p>The guards get a notice. They can ask again while the shift is open.</p>
            <Field label="Note" optional hint="The guards see it." error={errors.note?.message}>
              {(control) => <Textarea {...control} {...register('note')} rows={2} />}
            </Field>
          </div>
        )}
      </RecordForm>
    </Dialog>
  );
}

function Requests({ requests }: { requests: readonly GuardRequest[] }) {
  const decide = useDecideRequests();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [declining, setDeclining] = useState<string[]>();
  const [approving, setApproving] = useState<string>();
  if (requests.length === 0) {
    return (
      <p className="text-muted">
        No requests wait. Guards ask for open shifts and swaps on their phones.
      </p>
    );
  }
  const possible = requests.filter(({ obstacle }) => obstacle === null).map(({ id }) => id);
  const selected = possible.filter((id) => chosen.includes(id));
  async function approve(ids: string[]) {
    setApproving(ids.length === 1 ? ids[0] : 'all');
    try {
      await decide.mutateAsync({ ids, approves: true, note: '' });
      showSuccess(ids.length === 1 ? 'Request Approved' : 'Requests Approved');
      setChosen([]);
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      setApproving(undefined);
    }
  }
  return (
    <>
      <Card>
        <div className="flex flex-wrap items-center gap-2 border-b border-line bg-sunken px-4 py-2 sm:px-5">
          <p role="status" className="flex-1 text-sm text-muted max-sm:basis-full">
            {selected.length} of {requests.length} selected
          </p>
          {selected.length > 0 ? (
            <>
              <Button busy={approving === 'all'} onClick={() => approve(selected)}>
                Approve selected
              </Button>
              <Button variant="secondary" onClick={() => setDeclining(selected)}>
                Decline selected
              </Button>
            </>
          ) : (
            <Button
              variant="secondary"
              disabled={possible.length === 0}
              onClick={() => setChosen(possible)}
            >
              Select all possible
            </Button>
          )}
        </div>
        <ul aria-label="Requests from guards" className="divide-y divide-line">
          {requests.map((request) => (
            <RequestRow
              key={request.id}
              request={request}
              isChosen={chosen.includes(request.id) && request.obstacle === null}
              isBusy={approving === request.id}
              onChoose={() =>
                setChosen((now) =>
                  now.includes(request.id)
                    ? now.filter((id) => id !== request.id)
                    : [...now, request.id],
                )
              }
              onApprove={() => approve([request.id])}
              onDecline={() => setDeclining([request.id])}
            />
          ))}
        </ul>
      </Card>
      {declining && (
        <DeclineRequestsDialog
          ids={declining}
          onDone={() => setChosen([])}
          onClose={() => setDeclining(undefined)}
        />
      )}
    </>
  );
}

export function RequestsScreen() {
  const query = useGuardRequests();
  return (
    <>
      <ScreenHeading
        title="Requests from guards"
        subtitle="Guards ask for open shifts, and swap shifts among themselves. The rules are checked again with each approval."
      />
      <Loaded query={query} loadingText="Loading the requests...">
        {(requests) => <Requests requests={requests} />}
      </Loaded>
    </>
  );
}
