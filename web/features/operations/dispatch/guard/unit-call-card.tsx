// "Your unit is called": what, where, the way, and a button for each step. The buttons keep their places, so that a second
// tap never lands on the next step.
import { Check, MapPin, Phone, Siren } from 'lucide-react';
import { useEffect, useState } from 'react';
import { formatPhone } from '#shared/phone.ts';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { cn } from '#web/lib/cn.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { UNIT_STEP_KIND } from '#web/lib/outbox/kinds.ts';
import { submitForm, waitingText } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { directionsToGps } from '#web/lib/position/directions.ts';
import { gpsText } from '#web/lib/position/locate.ts';
import { usePosition } from '#web/lib/position/use-position.ts';
import { CALL_KIND_LABELS, CALL_PRIORITY_LABELS } from '#web/lib/vocabulary/dispatch.ts';
import { labelOf } from '#web/lib/vocabulary/label-of.ts';
import { progressOf, type UnitCall, type UnitStep, waitingSteps } from './unit-call.ts';

const LABELS: Record<UnitStep, string> = {
  accepted: 'Accept',
  declined: 'Decline',
  en_route: 'On the way',
  on_scene: 'On scene',
  clear: 'Clear',
};
const DONE = { ...LABELS, accepted: 'Accepted', declined: 'Declined' };
const REPLIES = ['declined', 'accepted'] as const;
const TIMES = ['en_route', 'on_scene', 'clear'] as const;

/** Milliseconds of vibration and pause. */
const PATTERN = [500, 200, 500, 200, 500];

type StepButtonProps = {
  step: UnitStep;
  isDone: boolean;
  isNext: boolean;
  isBusy: boolean;
  isBlocked: boolean;
  onPress: () => void;
};

function StepButton({ step, isDone, isNext, isBusy, isBlocked, onPress }: StepButtonProps) {
  return (
    <Button
      variant={isNext ? 'primary' : 'secondary'}
      busy={isBusy}
      aria-disabled={isDone || isBlocked || undefined}
      className={cn(
        'min-h-14 px-1 max-sm:text-[0.9375rem] sm:text-base',
        (isDone || isBlocked) && 'opacity-55',
      )}
      onClick={() => {
        if (!isDone && !isBlocked) onPress();
      }}
    >
      {isDone && <Check aria-hidden="true" className="size-4.5" />}
      {isDone ? DONE[step] : LABELS[step]}
    </Button>
  );
}

type NumberProps = { name: string; phone: string };

const NumberLink = ({ name, phone }: NumberProps) => (
  <a
    href={`tel:${phone}`}
    title={formatPhone(phone)}
    aria-label={`Call ${name}, ${formatPhone(phone)}`}
    className={buttonStyles({ variant: 'secondary' })}
  >
    <Phone aria-hidden="true" className="size-4.5" /> {name}
  </a>
);

function Site({ call }: { call: UnitCall }) {
  const { gps, caller_name, caller_phone, orders, on_duty } = call;
  return (
    <>
      <div className="mt-3 flex flex-wrap gap-2 max-sm:*:flex-1">
        <a
          href={directionsToGps(call.address, gps)}
          target="_blank"
          rel="noreferrer"
          className={buttonStyles({ variant: 'secondary' })}
        >
          <MapPin aria-hidden="true" className="size-4.5" /> Show the way
        </a>
        {caller_phone && <NumberLink name={caller_name ?? 'Caller'} phone={caller_phone} />}
      </div>
      {on_duty.length > 0 && (
        <details className="mt-2">
          <summary className={SUMMARY}>On duty there: {on_duty.length}</summary>
          <ul className="flex flex-wrap gap-2">
            {on_duty.map(({ name, phone }) => (
              <li key={name}>{phone ? <NumberLink name={name} phone={phone} /> : name}</li>
            ))}
          </ul>
        </details>
      )}
      {orders && (
        <details>
          <summary className={SUMMARY}>Orders of the site</summary>
          <p className="text-sm break-words whitespace-pre-line">{orders}</p>
        </details>
      )}
    </>
  );
}

const SUMMARY = 'flex min-h-11 cursor-pointer items-center text-sm font-semibold';

export function UnitCallCard({ userId, call }: { userId: string; call: UnitCall }) {
  const { waiting } = useOutbox();
  const [busy, setBusy] = useState<UnitStep>();
  const [location] = usePosition({ mayAsk: false });
  const queued = waitingSteps(waiting, call.assigned_id);
  const { last, isDone } = progressOf(call, queued);
  const isAsked = last === undefined;
  const isOver = last === 'declined' || last === 'clear';
  const place = call.site_name ?? call.address;
  useEffect(() => {
    if (isAsked) navigator.vibrate?.(PATTERN);
  }, [isAsked]);

  async function record(step: UnitStep) {
    setBusy(step);
    try {
      const outcome = await submitForm({
        id: crypto.randomUUID(),
        userId,
        kind: UNIT_STEP_KIND,
        title: `${DONE[step]}, ${place}`,
        payload: {
          assignedId: call.assigned_id,
          step,
          gps: location.state === 'found' ? gpsText(location.position) : null,
        },
      });
      showSuccess(DONE[step], waitingText(outcome));
    } catch (error) {
      showError('Error', describeError(error));
    } finally {
      setBusy(undefined);
    }
  }
  const button = (step: UnitStep) => (
    <StepButton
      key={step}
      step={step}
      isDone={isDone(step) && step !== 'declined'}
      isNext={
        step === 'accepted' ? isAsked : TIMES.find((each) => !isDone(each)) === step && !isAsked
      }
      isBusy={busy === step}
      isBlocked={
        busy !== undefined ||
        isOver ||
        (step === 'declined' ? !isAsked : isAsked && step !== 'accepted')
      }
      onPress={() => void record(step)}
    />
  );
  return (
    <section
      aria-label="Call for your unit"
      className={cn(
        'mb-4 rounded-sm border border-l-4 bg-raised p-4 shadow-panel sm:p-5',
        isAsked ? 'border-danger' : 'border-accent-fill',
      )}
    >
      <div role="status">
        <h2 className="flex items-center gap-2 font-display text-xl leading-tight">
          <Siren
            aria-hidden="true"
            className={cn('size-5 shrink-0', isAsked ? 'text-danger' : 'text-accent')}
          />
          {labelOf(CALL_KIND_LABELS, call.kind)}, {place}
        </h2>
        <p className="mt-1 text-sm font-semibold">
          {call.call_sign} · {labelOf(CALL_PRIORITY_LABELS, call.priority)}
          {isAsked && call.reply_due_at
            ? ` · Answer by ${formatTime(call.reply_due_at, call.timezone)}`
            : last && ` · ${DONE[last]}`}
        </p>
      </div>
      {call.details && <p className="mt-2 break-words whitespace-pre-line">{call.details}</p>}
      <p className="mt-1 text-sm break-words text-muted">
        {call.address}
        {call.client_name && call.client_name !== place && `, ${call.client_name}`}
      </p>
      <div className="mt-4 grid grid-cols-2 gap-3">{REPLIES.map(button)}</div>
      <div className="mt-3 grid grid-cols-3 gap-3">{TIMES.map(button)}</div>
      {queued.length > 0 && (
        <p className="mt-2 text-sm font-semibold text-warning">
          {queued.map((step) => DONE[step]).join(', ')}: waiting to send.
        </p>
      )}
      <Site call={call} />
    </section>
  );
}
