import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button.tsx';

const VISIBLE_DIGITS = 4;

/** Masked except for its last digits, until the user shows it. */
export function AccountNumber({ number }: { number: string }) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <span className="inline-flex items-center gap-1 tabular-nums">
      {isShown ? (
        <span className="break-all">{number}</span>
      ) : (
        <>
          <span aria-hidden="true">•••• {number.slice(-VISIBLE_DIGITS)}</span>
          <span className="sr-only">ends in {number.slice(-VISIBLE_DIGITS)}</span>
        </>
      )}
      <Button
        variant="ghost"
        size="icon"
        className="-my-3 print:hidden"
        aria-label={isShown ? 'Hide account number' : 'Show account number'}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        <Icon aria-hidden="true" className="size-4" />
      </Button>
    </span>
  );
}
