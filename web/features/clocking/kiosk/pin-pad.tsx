import { Delete } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'clear', '0', 'back'] as const;

type PinPadProps = {
  pin: string;
  /** Digits, at most. */
  most: number;
  /** Shows the digits instead of dots: a start code is long, and on paper anyway. */
  isShown?: boolean;
  onChange: (pin: string) => void;
  onEnter: () => void;
};

/** Buttons, not an input: no browser offers to remember what is typed, and no keyboard covers the screen. */
export function PinPad({ pin, most, isShown = false, onChange, onEnter }: PinPadProps) {
  const press = (key: string) => {
    if (key === 'clear') onChange('');
    else if (key === 'back') onChange(pin.slice(0, -1));
    else if (pin.length < most) onChange(pin + key);
  };
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (/^\d$/.test(event.key)) press(event.key);
    else if (event.key === 'Backspace') press('back');
    // A focused button is pressed by Enter itself.
    else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) onEnter();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return (
    <div className="grid gap-4">
      <p role="status" className="flex h-8 items-center justify-center gap-3">
        <span className="sr-only">{pin.length} digits entered</span>
        {isShown && (
          <span aria-hidden="true" className="text-2xl font-semibold tracking-wider tabular-nums">
            {pin.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </span>
        )}
        {!isShown &&
          Array.from({ length: Math.max(4, pin.length) }, (_, at) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the dots have no identity
              key={at}
              aria-hidden="true"
              className={`size-4 rounded-full border-2 border-ink ${at < pin.length ? 'bg-ink' : ''}`}
            />
          ))}
      </p>
      <div className="grid grid-cols-3 gap-2">
        {KEYS.map((key) => (
          <button
            key={key}
            type="button"
            onClick={() => press(key)}
            aria-label={key === 'back' ? 'Delete the last digit' : undefined}
            className="grid min-h-16 place-items-center rounded-sm border border-line-strong bg-raised text-2xl font-semibold tabular-nums select-none hover:bg-sunken active:bg-sunken"
          >
            {key === 'back' ? (
              <Delete aria-hidden="true" className="size-6" />
            ) : key === 'clear' ? (
              <span className="text-base">Clear</span>
            ) : (
              key
            )}
          </button>
        ))}
      </div>
    </div>
  );
}
