import { type ComponentProps, useEffect, useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Button } from './button.tsx';

/** How long a spot stays dead once an action has put its opposite there. */
const DEAD_MS = 5_000;
/** An answer that takes longer was not waited for with a finger on the screen. */
const RECENT_MS = 20_000;

/** The last action of each spot, and when, by the page's monotonic clock. */
const pressed = new Map<string, { action: string; at: number }>();

/** For a press that no button of the spot receives, such as holding SOS. */
export function markPressed(spot: string, action: string): void {
  pressed.set(spot, { action, at: performance.now() });
}

function isJustReversed(spot: string, action: string): boolean {
  const last = pressed.get(spot);
  return last !== undefined && last.action !== action && performance.now() - last.at < RECENT_MS;
}

type OppositeButtonProps = ComponentProps<typeof Button> & {
  /** What the actions have in common that take each other back, for example a shift. */
  spot: string;
  /** Differs between them. */
  action: string;
  /** Shown in its place for five seconds after the opposite action, for example "Confirmed". */
  settled: string;
};

/**
 * One of two actions that take each other back and share a place, as Confirm and Undo. A second tap never lands on the
 * opposite one: for five seconds after the other it only says what was done. It stays one button, which keeps the focus.
 */
export function OppositeButton(props: OppositeButtonProps) {
  const { spot, action, settled, onClick, ...button } = props;
  const [shown, setShown] = useState(action);
  const [isDead, setDead] = useState(() => isJustReversed(spot, action));
  if (shown !== action) {
    setShown(action);
    setDead(isJustReversed(spot, action));
  }
  useEffect(() => {
    if (!isDead) return;
    const timer = setTimeout(() => setDead(false), DEAD_MS);
    return () => clearTimeout(timer);
  }, [isDead]);
  if (isDead) {
    return (
      <Button
        variant="ghost"
        className={cn(button.className, 'text-muted hover:bg-transparent')}
        aria-disabled
      >
        {settled}
      </Button>
    );
  }
  return (
    <Button
      {...button}
      onClick={(event) => {
        markPressed(spot, action);
        onClick?.(event);
      }}
    />
  );
}
