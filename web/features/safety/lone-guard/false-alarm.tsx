import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { OppositeButton } from '#web/components/ui/opposite-button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { deviceNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { cancelSos, SOS_SPOT, type Sos } from './sos.ts';

const WINDOW_MS = limits.SOS_CANCEL_WINDOW_MINUTES * 60_000;

export const FALSE_ALARM = 'Marked as a false alarm. The control room may still call you.';

/** @returns whole seconds in which the guard can still call it a false alarm; undefined until known */
function useSecondsLeft({ deviceAt, offsetMs }: Pick<Sos, 'deviceAt' | 'offsetMs'>) {
  const now = useServerNow(1000);
  if (now === undefined) return undefined;
  // Pressed before the offset was known: both moments by the device's clock.
  const passed = offsetMs === null ? deviceNow() - deviceAt : now - (deviceAt + offsetMs);
  return Math.ceil((WINDOW_MS - passed) / 1000);
}

type FalseAlarmProps = {
  userId: string;
  sos: Pick<Sos, 'sosId' | 'deviceAt' | 'offsetMs'>;
  /** Only the button, without a reason. */
  isShort?: boolean;
  className?: string;
};

/** For a minute the guard can take an SOS back; after that the control room decides. */
export function FalseAlarm({ userId, sos, isShort = false, className }: FalseAlarmProps) {
  const left = useSecondsLeft(sos);
  const [note, setNote] = useState('');
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open');
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
  if (left === undefined) return null;
  if (state === 'done') {
    return (
      <p role="status" className={className}>
        {FALSE_ALARM}
      </p>
    );
  }
  if (left <= 0) {
    return isShort ? <p className={className}>Pressed by mistake? Call the control room.</p> : null;
  }
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        void cancel();
      }}
    >
      <div className="grid gap-3">
        {!isShort && (
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
        )}
        <OppositeButton
          {...{ spot: SOS_SPOT, action: 'false alarm', settled: `False alarm (${left} s)` }}
          type="submit"
          variant="secondary"
          busy={state === 'busy'}
          className="min-h-12"
        >
          False alarm ({left} s)
        </OppositeButton>
      </div>
    </form>
  );
}
