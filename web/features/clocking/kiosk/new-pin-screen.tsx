import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import type { KioskPerson } from './people.ts';
import { PinPad } from './pin-pad.tsx';
import { setPinOnDevice } from './set-pin.ts';

/** Digits of a start code. */
const CODE = 12;
const LEAST = 4;
const MOST = 6;

type NewPinScreenProps = { person: KioskPerson; onSet: () => void; onCancel: () => void };

/** The start code, then the PIN, each with the same buttons. */
export function NewPinScreen({ person, onSet, onCancel }: NewPinScreenProps) {
  const [code, setCode] = useState('');
  const [isCodeDone, setCodeDone] = useState(false);
  const [pin, setPin] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isReady = isCodeDone ? pin.length >= LEAST : code.length === CODE;

  async function next() {
    if (isBusy || !isReady) return;
    setProblem(undefined);
    if (!isCodeDone) {
      setCodeDone(true);
      return;
    }
    setBusy(true);
    try {
      const reason = await setPinOnDevice({ userId: person.user_id, code, pin });
      if (reason === undefined) {
        onSet();
        return;
      }
      setProblem(reason);
    } catch (error) {
      setProblem(describeError(error));
    }
    setPin('');
    setBusy(false);
  }

  function back() {
    setProblem(undefined);
    setPin('');
    if (isCodeDone) setCodeDone(false);
    else onCancel();
  }
  return (
    <main className="mx-auto grid w-full max-w-md content-start gap-5 px-4 py-6">
      <div>
        <h1 className="font-display text-2xl leading-tight [overflow-wrap:anywhere]">
          {person.name}
        </h1>
        <p className="text-muted">
          {isCodeDone
            ? 'Choose a PIN of 4 to 6 digits that only you know.'
            : 'Enter the start code that the office gave you.'}
        </p>
      </div>
      {isCodeDone ? (
        <PinPad key="pin" pin={pin} most={MOST} onChange={setPin} onEnter={() => void next()} />
      ) : (
        <PinPad
          key="code"
          pin={code}
          most={CODE}
          isShown
          onChange={setCode}
          onEnter={() => void next()}
        />
      )}
      <p role="alert" className="min-h-6 text-center font-semibold text-danger">
        {problem}
      </p>
      <Button
        busy={isBusy}
        disabled={!isReady}
        onClick={() => void next()}
        className="min-h-16 text-xl"
      >
        {isCodeDone ? 'Save PIN' : 'Next'}
      </Button>
      <Button variant="secondary" onClick={back} className="min-h-14 text-base">
        Back
      </Button>
    </main>
  );
}
