import { MapPin, Phone } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { formatPhone } from '#shared/phone.ts';
import { mayDispatch } from '#shared/screens.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatDateTime, formatTime } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { directionsToGps } from '#web/lib/position/directions.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import {
  CALL_KIND_LABELS,
  CALL_OUTCOME_LABELS,
  CALL_PRIORITY_LABELS,
  CALL_PRIORITY_TONES,
  CALL_SOURCE_LABELS,
  CALL_STATE_LABELS,
  UNIT_EVENT_LABELS,
} from '#web/lib/vocabulary/dispatch.ts';
import { CallForm } from './call-form.tsx';
import { GoalTimer } from './call-list.tsx';
import { AssignedUnits, CallUnits } from './call-units.tsx';
import {
  type Call,
  type CallEvent,
  placeOf,
  useAddCallNote,
  useCall,
  useCallEvents,
  useReopenCall,
} from './dispatch-api.ts';
import { CancelCallDialog, CloseCallDialog } from './end-call-dialogs.tsx';

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line pt-5">
      <h3 className="mb-3 font-display text-lg leading-tight">{title}</h3>
      {children}
    </section>
  );
}

function Facts({ call }: { call: Call }) {
  const { gps, caller_name, caller_phone } = call;
  return (
    <div className="grid gap-2 text-sm">
      {call.details && (
        <p className="text-base [overflow-wrap:anywhere] whitespace-pre-line">{call.details}</p>
      )}
      <p className="[overflow-wrap:anywhere]">
        {call.site_id && call.sites && (
          <>
            <SiteLink id={call.site_id} name={call.sites.name} className="font-semibold" />
            {call.client_name && call.client_name !== call.sites.name && ` (${call.client_name})`}
            <br />
          </>
        )}
        {call.address}
      </p>
      <p className="text-muted">
        {CALL_SOURCE_LABELS[call.source]}, {formatDateTime(call.received_at)}
        {caller_name && `, from ${caller_name}`}
      </p>
      {(gps || caller_phone) && (
        <div className="flex flex-wrap gap-2">
          {gps && (
            <a
              href={directionsToGps(call.address, gps)}
              target="_blank"
              rel="noreferrer"
              className={buttonStyles({ variant: 'secondary' })}
            >
              <MapPin aria-hidden="true" className="size-4" /> Map
            </a>
          )}
          {caller_phone && (
            <a href={`tel:${caller_phone}`} className={buttonStyles({ variant: 'secondary' })}>
              <Phone aria-hidden="true" className="size-4" /> {formatPhone(caller_phone)}
            </a>
          )}
        </div>
      )}
    </div>
  );
}

function EventRow({ event }: { event: CallEvent }) {
  const { kind, unit, person, note, outcome, counts, happened_at, received_at } = event;
  const isLate = Date.parse(received_at) - Date.parse(happened_at) > 60_000;
  return (
    <li className="grid grid-cols-[4.75rem_1fr] gap-x-3 py-2 text-sm">
      <span className="text-muted tabular-nums">{formatTime(happened_at)}</span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-semibold">
          {UNIT_EVENT_LABELS[kind]}
          {unit && `: ${unit.call_sign}`}
          {outcome && `: ${CALL_OUTCOME_LABELS[outcome]}`}
        </span>
        {person && <span className="text-muted"> by {formatName(person)}</span>}
        {isLate && <span className="text-muted">, received {formatTime(received_at)}</span>}
        {!counts && <span className="text-muted">. Too late to count</span>}
        {note && <span className="block whitespace-pre-line">{note}</span>}
      </span>
    </li>
  );
}

const noteSchema = z.object({
  note: textField('Note', limits.UNIT_EVENTS_NOTE_MAX).min(1, 'Write what happened'),
});

function NoteForm({ callId, onDone }: { callId: string; onDone: () => void }) {
  const add = useAddCallNote();
  const [id] = useState(() => crypto.randomUUID());
  return (
    <RecordForm
      schema={noteSchema}
      defaultValues={{ note: '' }}
      submitLabel="Add Note"
      failure="The note was not added"
      save={({ note }) => add.mutateAsync({ id, callId, note })}
      onSaved={() => {
        showSuccess('Note added');
        onDone();
      }}
      onCancel={onDone}
    >
      {(form) => createFields(form).notes('note', 'Note', { optional: false, rows: 2 })}
    </RecordForm>
  );
}

function Timeline({ callId, mayWrite }: { callId: string; mayWrite: boolean }) {
  const [isWriting, setWriting] = useState(false);
  return (
    <Part title="Timeline">
      <Loaded
        query={useCallEvents(callId)}
        loadingText="Loading the timeline..."
        missing="The timeline could not be loaded"
      >
        {(events) => (
          <ol className="divide-y divide-line border-y border-line">
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </ol>
        )}
      </Loaded>
      {mayWrite && (
        <div className="mt-3">
          {isWriting ? (
            <NoteForm callId={callId} onDone={() => setWriting(false)} />
          ) : (
            <Button variant="secondary" onClick={() => setWriting(true)}>
              Add Note
            </Button>
          )}
        </div>
      )}
    </Part>
  );
}

function Actions({ call }: { call: Call }) {
  const [shown, setShown] = useState<'change' | 'close' | 'cancel'>();
  const reopen = useReopenCall();
  const done = () => setShown(undefined);
  if (call.closed_at !== null) {
    return (
      <Button
        variant="secondary"
        busy={reopen.isPending}
        onClick={() => {
          reopen.mutateAsync(call.id).then(
            () => showSuccess('Call reopened'),
            (error: unknown) => showError('The call was not reopened', describeError(error)),
          );
        }}
      >
        Reopen
      </Button>
    );
  }
  return (
    <>
      <Button onClick={() => setShown('close')}>Close Call</Button>
      <Button variant="secondary" onClick={() => setShown('change')}>
        Change
      </Button>
      <Button variant="danger-ghost" onClick={() => setShown('cancel')}>
        Cancel Call
      </Button>
      {shown === 'change' && <CallForm call={call} onClose={done} />}
      {shown === 'close' && <CloseCallDialog call={call} onClose={done} />}
      {shown === 'cancel' && <CancelCallDialog call={call} onClose={done} />}
    </>
  );
}

function CallView({ call }: { call: Call }) {
  const now = useServerNow(1_000, call.closed_at === null);
  const isDispatcher = mayDispatch(useAuth().roles);
  return (
    <div data-first-focus tabIndex={-1} className="grid gap-6 outline-none">
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Badge tone={CALL_PRIORITY_TONES[call.priority]}>
            {CALL_PRIORITY_LABELS[call.priority]}
          </Badge>
          <span className="font-semibold">
            {CALL_STATE_LABELS[call.state]}
            {call.outcome && `: ${CALL_OUTCOME_LABELS[call.outcome]}`}
          </span>
          <GoalTimer call={call} now={now} />
        </div>
        <Facts call={call} />
        {isDispatcher && (
          <div className="flex flex-wrap gap-2">
            <Actions call={call} />
          </div>
        )}
      </div>
      {call.closed_at === null && (isDispatcher || call.units.length > 0) && (
        <Part title="Units">
          {isDispatcher ? <CallUnits call={call} /> : <AssignedUnits units={call.units} />}
        </Part>
      )}
      <Timeline callId={call.id} mayWrite={isDispatcher} />
    </div>
  );
}

export function CallDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useCall(id);
  const { data } = query;
  return (
    <DetailDialog
      query={query}
      title={data ? `${CALL_KIND_LABELS[data.kind]}, ${placeOf(data)}` : 'Call'}
      missing="This call no longer exists."
      onClose={onClose}
    >
      {(call) => <CallView call={call} />}
    </DetailDialog>
  );
}
