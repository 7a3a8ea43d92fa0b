import { useQuery } from '@tanstack/react-query';
import { CircleCheck, MessageSquare, Phone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { company } from '#company';
import * as limits from '#shared/database.limits.ts';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { deviceNow } from '#web/lib/clock/server-now.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { profileQuery } from '#web/lib/session/session-queries.ts';
import { cancelSos, hasSos, type Sos, sosSchema } from './sos.ts';

const digitsOf = (number: string): string => number.replace(/[^\d+]/g, '');

function ControlRoom({ text }: { text: string }) {
  return (
    <>
      <a
        data-first-focus
        href={`tel:${digitsOf(company.hotline)}`}
        className={buttonStyles({
          variant: 'danger',
          className: 'min-h-16 w-full text-lg whitespace-normal',
        })}
      >
        <Phone aria-hidden="true" className="size-5" /> Call the control room
      </a>
      <a
        href={`sms:${digitsOf(company.messageNumber)}?body=${encodeURIComponent(text)}`}
        className={buttonStyles({
          variant: 'secondary',
          className: 'min-h-12 w-full whitespace-normal',
        })}
      >
        <MessageSquare aria-hidden="true" className="size-5" /> Send it as a text message
      </a>
    </>
  );
}

function SosState({ isWaiting, reason }: { isWaiting: boolean; reason: string | undefined }) {
  if (reason !== undefined) {
    return (
      <p role="alert" className="font-semibold text-danger">
        Not sent: {reason} Call the control room.
      </p>
    );
  }
  return (
    <p role="status" className="flex items-start gap-3 font-semibold">
      {isWaiting ? (
        <>
          <Spinner /> Sending. It is tried again every few seconds while this is open.
        </>
      ) : (
        <>
          <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-success" />
          The control room has your SOS.
        </>
      )}
    </p>
  );
}

function FalseAlarm({ userId, sos }: { userId: string; sos: Sos }) {
  const [left, setLeft] = useState(limits.SOS_CANCEL_WINDOW_MINUTES * 60);
  const [note, setNote] = useState('');
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');
  useEffect(() => {
    const endsAt = sos.deviceAt + limits.SOS_CANCEL_WINDOW_MINUTES * 60 * 1000;
    const count = () => setLeft(Math.ceil((endsAt - deviceNow()) / 1000));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [sos]);
  async function cancel() {
    setState('busy');
    try {
      const outcome = await cancelSos(userId, sos, note);
      if (outcome.state === 'refused') throw new Error(outcome.reason);
      setState('done');
    } catch (error) {
      setState('open');
      showError('Error', describeError(error));
    }
  }
  if (state === 'done') {
    return (
      <p role="status" className="border-t border-line pt-5">
        Marked as a false alarm. The control room may still call you.
      </p>
    );
  }
  if (left <= 0) return null;
  return (
    <form
      className="grid gap-3 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault();
        void cancel();
      }}
    >
      <Field label="Pressed by mistake?" hint="What happened (optional)">
        {(control) => (
          <Input
            {...control}
            maxLength={limits.SOS_EVENTS_CANCEL_NOTE_MAX}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="secondary" busy={state === 'busy'} className="min-h-12">
        False alarm ({left} s)
      </Button>
    </form>
  );
}

type SosDialogProps = {
  userId: string;
  /** Undefined asks first. */
  sos: Sos | undefined;
  onSend: () => void;
  onClose: () => void;
};

export function SosDialog({ userId, sos, onSend, onClose }: SosDialogProps) {
  const { waiting, refused } = useOutbox();
  const { data: profile } = useQuery(profileQuery(userId));
  const setOpen = (open: boolean) => !open && onClose();
  if (!sos) {
    return (
      <Dialog
        open
        onOpenChange={setOpen}
        title="Send an SOS?"
        description="The control room gets your position at once, and the telephone opens."
      >
        <Button variant="danger" className="min-h-16 w-full text-lg" onClick={onSend}>
          Send SOS
        </Button>
      </Dialog>
    );
  }
  const isWaiting = hasSos(waiting, sos);
  const reason = refused.find(({ id }) => id === sos.sosId)?.reason ?? undefined;
  const entry = waiting.find(({ id }) => id === sos.sosId);
  const gps = entry ? sosSchema.safeParse(entry.payload).data?.gps : undefined;
  const text = ['SOS', profile?.full_name, gps].filter(Boolean).join(' ');
  return (
    <Dialog open onOpenChange={setOpen} title={isWaiting ? 'Sending your SOS' : 'SOS sent'}>
      <div className="grid gap-4">
        <SosState isWaiting={isWaiting} reason={reason} />
        <ControlRoom text={text} />
        <FalseAlarm userId={userId} sos={sos} />
      </div>
    </Dialog>
  );
}
