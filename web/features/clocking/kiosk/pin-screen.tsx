import { useEffect, useRef, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { openCamera, takePicture } from './camera.ts';
import { type Answer, clockOnDevice } from './clocking.ts';
import { NewPinScreen } from './new-pin-screen.tsx';
import type { KioskPerson } from './people.ts';
import { PinPad } from './pin-pad.tsx';
import { lastPosition } from './position.ts';

const PROBLEMS: Readonly<Record<string, string>> = {
  locked: 'This PIN is locked after five wrong ones. Ask your supervisor to unlock it.',
  none: 'You have no PIN yet. Ask your supervisor for one.',
  exception: 'This was not recorded as a clock event.',
};

const RECORDED = 'This attempt is recorded: your supervisor sees it and decides.';

function problemOf(answer: Answer): string {
  const { outcome, message, tries_left, is_recorded } = answer;
  if (outcome === 'wrong') return wrongPin(tries_left);
  const reason = PROBLEMS[outcome] ?? message ?? 'This could not be recorded.';
  return is_recorded || outcome === 'exception' ? `${reason} ${RECORDED}` : reason;
}

function wrongPin(left: number | null | undefined): string {
  if (typeof left !== 'number') return 'This PIN is wrong. Try again.';
  return `This PIN is wrong. ${left} ${left === 1 ? 'try' : 'tries'} left.`;
}

/** Shows the camera while the guard is here, so that they see that a picture is taken. */
function useCamera() {
  const video = useRef<HTMLVideoElement>(null);
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    let isLeft = false;
    let stream: MediaStream | undefined;
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    void openCamera().then((opened) => {
      stream = opened;
      if (isLeft) stop();
      else if (opened && video.current) {
        video.current.srcObject = opened;
        setOn(true);
      }
    });
    return () => {
      isLeft = true;
      stop();
    };
  }, []);
  return { video, isOn };
}

type PinScreenProps = {
  person: KioskPerson;
  zone: string;
  onDone: (done: { kind: 'in' | 'out'; isWaiting: boolean }) => void;
  onCancel: () => void;
};

type ClockScreenProps = PinScreenProps & { isPinSet: boolean; onSetPin: () => void };

function ClockScreen(props: ClockScreenProps) {
  const { person, zone, onDone, onCancel, isPinSet, onSetPin } = props;
  const [pin, setPin] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [needsPin, setNeedsPin] = useState(person.has_pin === false && !isPinSet);
  const { video, isOn } = useCamera();
  const kind = person.state === 'in' ? 'out' : 'in';
  const verb = kind === 'in' ? 'Clock In' : 'Clock Out';

  async function clock() {
    if (isBusy || pin.length < 4) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const picture = video.current
        ? await takePicture(video.current).catch(() => undefined)
        : undefined;
      const { assignment_id: assignmentId, user_id: userId } = person;
      const answer = await clockOnDevice({
        assignmentId,
        userId,
        kind,
        pin,
        picture,
        ...lastPosition(),
      });
      if (answer.outcome === 'recorded' || answer.outcome === 'waiting') {
        onDone({ kind, isWaiting: answer.outcome === 'waiting' });
        return;
      }
      setProblem(problemOf(answer));
      if (answer.outcome === 'none' || answer.outcome === 'locked') setNeedsPin(true);
    } catch (error) {
      setProblem(describeError(error));
    }
    setPin('');
    setBusy(false);
  }

  return (
    <main className="mx-auto grid w-full max-w-md content-start gap-5 px-4 py-6">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <h1 className="font-display text-2xl leading-tight [overflow-wrap:anywhere]">
            {person.name}
          </h1>
          <p className="text-muted tabular-nums">
            {formatTime(person.start_time, zone)} - {formatTime(person.end_time, zone)}
          </p>
        </div>
        <video
          ref={video}
          autoPlay
          playsInline
          muted
          aria-label="Your picture"
          className={`h-20 w-24 shrink-0 -scale-x-100 rounded-sm border border-line object-cover ${isOn ? '' : 'hidden'}`}
        />
      </div>
      <PinPad pin={pin} most={6} onChange={setPin} onEnter={() => void clock()} />
      {isPinSet && (
        <p role="status" className="text-center font-semibold text-success">
          PIN saved. Enter it to {kind === 'in' ? 'clock in' : 'clock out'}.
        </p>
      )}
      <p role="alert" className="min-h-6 text-center font-semibold text-danger">
        {problem}
      </p>
      {needsPin && (
        <Button variant="secondary" onClick={onSetPin} className="min-h-14 text-base">
          Set a PIN with a Start Code
        </Button>
      )}
      <Button
        busy={isBusy}
        disabled={pin.length < 4}
        onClick={() => void clock()}
        className="min-h-16 text-xl"
      >
        {verb}
      </Button>
      <Button variant="secondary" onClick={onCancel} className="min-h-14 text-base">
        Back to Names
      </Button>
    </main>
  );
}

/** Without a PIN, the guard sets one here first. */
export function PinScreen(props: PinScreenProps) {
  const [step, setStep] = useState<'clock' | 'set' | 'clock-after'>('clock');
  if (step === 'set') {
    return (
      <NewPinScreen
        person={props.person}
        onSet={() => setStep('clock-after')}
        onCancel={() => setStep('clock')}
      />
    );
  }
  return (
    <ClockScreen {...props} isPinSet={step === 'clock-after'} onSetPin={() => setStep('set')} />
  );
}
