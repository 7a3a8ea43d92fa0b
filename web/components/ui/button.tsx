// A button that can show that it is working, and can't be pressed twice meanwhile.
import type { ComponentProps, MouseEvent } from 'react';
import { type ButtonStyle, buttonStyles } from './button-styles.ts';
import { Spinner } from './spinner.tsx';

type ButtonProps = ComponentProps<'button'> &
  ButtonStyle & {
    /** Shows a spinner and ignores presses. The button keeps the keyboard focus, which `disabled` would lose. */
    busy?: boolean;
  };

export function Button({
  busy = false,
  variant,
  size,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    // Also holds back the form: pressing Enter in a field clicks the submit button.
    if (busy) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className={buttonStyles({ variant, size, className })}
      onClick={press}
      {...rest}
    >
      {busy && <Spinner className="size-4" />}
      {busy && size === 'icon' ? null : children}
    </button>
  );
}
