import { Camera, CircleCheck, CircleDashed, Nfc } from 'lucide-react';
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { waitingText } from '#web/lib/outbox/submit.ts';
import { isFresh, locate, type Position } from '#web/lib/position/locate.ts';
import { numberOfCode } from './code.ts';
import { canReadTags, readTags } from './nfc.ts';
import { Scanner } from './scanner.tsx';
import { type GuardTour, submitScan, type TourPoint, type Way } from './tours.ts';

/** A scan never waits longer for a position. */
const POSITION_WAIT_MS = 3_000;

function usePositionNow() {
  const last = useRef<Position>(undefined);
  const look = async () => {
    last.current = (await locate()) ?? last.current;
    return last.current;
  };
  const begin = useEffectEvent(look);
  useEffect(() => void begin(), []);
  return async (): Promise<Position | undefined> => {
    if (last.current && isFresh(last.current)) return last.current;
    const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, POSITION_WAIT_MS));
    return Promise.race([look(), timeout]);
  };
}

function Point({ point, zone }: { point: TourPoint; zone: string }) {
  const isDone = point.scanned_at !== null;
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li className="flex min-h-11 items-center gap-3 py-2">
      <Icon
        aria-hidden="true"
        className={isDone ? 'size-6 shrink-0 text-success' : 'size-6 shrink-0 text-muted'}
      />
      <span className="min-w-0 flex-1 font-semibold break-words">{point.name}</span>
      <span className="text-sm whitespace-nowrap tabular-nums">
        {point.scanned_at === null ? 'Not scanned' : formatTime(point.scanned_at, zone)}
      </span>
    </li>
  );
}

type PatrolDialogProps = { userId: string; tour: GuardTour; onClose: () => void };

export function PatrolDialog({ userId, tour, onClose }: PatrolDialogProps) {
  const [isCameraOn, setCameraOn] = useState(false);
  const [isTagOn, setTagOn] = useState(false);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const positionNow = usePositionNow();
  const done = tour.points.filter(({ scanned_at }) => scanned_at !== null).length;

  async function scan(code: string, way: Way) {
    try {
      const outcome = await submitScan({ userId, tour, code, way, position: await positionNow() });
      if (outcome.state === 'refused') {
        showError('Error', outcome.reason);
        return;
      }
      const number = numberOfCode(code);
      const point = tour.points.find((one) => one.number === number);
      // Read by vibration too: nobody looks at the screen while walking.
      navigator.vibrate?.(100);
      if (point) showSuccess(`${point.name} scanned`, waitingText(outcome));
      else
        showError('Not a checkpoint of this patrol', 'It is stored, and the control room sees it.');
    } catch (error) {
      showError('Error', describeError(error));
      if (way === 'typed') setTyped((now) => now || code);
    }
  }
  const report = useEffectEvent((text: string) => void scan(text, 'nfc'));
  useEffect(() => {
    if (!isTagOn) return;
    const stopping = new AbortController();
    readTags(stopping.signal, (text) => report(text)).catch((error: unknown) => {
      setTagOn(false);
      showError('Error', describeError(error));
    });
    return () => stopping.abort();
  }, [isTagOn]);

  function submitTyped(event: FormEvent) {
    event.preventDefault();
    if (numberOfCode(typed) === undefined) {
      setProblem('This is not the code of a checkpoint. Check each character.');
      return;
    }
    setProblem(undefined);
    // At once: on a slow line the guard is at the next checkpoint before this one is sent.
    setTyped('');
    void scan(typed, 'typed');
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={tour.name}
      description={`${tour.site_name}. Finish by ${formatTime(tour.finish_by, tour.timezone)}.`}
    >
      <div className="grid gap-5 text-ink">
        <section aria-label="Checkpoints">
          <p role="status" className="font-semibold">
            {done} of {tour.points.length} scanned
          </p>
          <ol className="mt-1 divide-y divide-line border-y border-line">
            {tour.points.map((point) => (
              <Point key={point.id} point={point} zone={tour.timezone} />
            ))}
          </ol>
        </section>
        {isCameraOn ? (
          <Scanner onCode={(code) => void scan(code, 'camera')} />
        ) : (
          // Not the field for the code, whose keyboard would cover this.
          <Button
            data-first-focus
            className="min-h-14 w-full text-lg"
            onClick={() => setCameraOn(true)}
          >
            <Camera aria-hidden="true" className="size-5" /> Scan a label
          </Button>
        )}
        {canReadTags() ? (
          <Button variant="secondary" disabled={isTagOn} onClick={() => setTagOn(true)}>
            <Nfc aria-hidden="true" className="size-5" />
            {isTagOn ? 'Hold the phone to the tag' : 'Read a tag'}
          </Button>
        ) : (
          <p className="text-sm text-muted">
            This browser can’t read NFC tags, which needs Chrome on Android. Scan the label or enter
            its code.
            {!('vibrate' in navigator) &&
              ' It doesn’t vibrate after a scan either: look for the message.'}
          </p>
        )}
        <form noValidate onSubmit={submitTyped} className="grid gap-3">
          <Field label="Code below the label" error={problem}>
            {(control) => (
              <Input
                {...control}
                value={typed}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                maxLength={12}
                className="text-lg tracking-widest uppercase"
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
          <Button type="submit" variant="secondary" disabled={typed.trim() === ''}>
            Enter Code
          </Button>
        </form>
      </div>
    </Dialog>
  );
}
