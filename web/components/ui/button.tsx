import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, MouseEvent } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Spinner } from './loading.tsx';

/** Every size is at least 44 px tall (WCAG 2.5.5), except in compact tables, which are used with a mouse. */
const styles = cva(
  [
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-sm border border-transparent px-5',
    'text-sm font-semibold tracking-[0.01em] whitespace-nowrap select-none',
    // Narrow phones, and large text.
    'cramped:max-w-full cramped:py-1 cramped:whitespace-normal',
    'transition-[background-color,border-color,color] duration-150',
    'disabled:opacity-55 aria-disabled:cursor-default [&_svg]:shrink-0 compact:in-[td]:min-h-8',
  ],
  {
    variants: {
      variant: {
        primary: 'bg-primary text-primary-ink hover:bg-primary-hover',
        secondary: 'border-line-strong bg-raised text-ink hover:bg-sunken',
        ghost: 'text-ink hover:bg-ink/8',
        danger: 'bg-danger text-danger-ink hover:bg-danger/88',
        'danger-ghost': 'text-danger hover:bg-danger/10',
        link: 'px-1 text-accent underline decoration-accent/45 underline-offset-4 hover:decoration-accent',
      },
      size: {
        default: '',
        // On paper an icon to press says nothing.
        icon: 'size-11 shrink-0 px-0 compact:in-[td]:size-8 print:hidden',
      },
    },
    defaultVariants: { variant: 'primary', size: 'default' },
  },
);

export type ButtonStyle = VariantProps<typeof styles>;

/** By variant, size and further classes: a list renders the same few buttons in every row. */
const joined = new Map<string, string>();

/** Also for links that look like buttons. @param className overrides the classes of variant and size */
export function buttonStyles(props: ButtonStyle & { className?: string | undefined } = {}) {
  const { className = '', variant, size } = props;
  const key = `${variant} ${size} ${className}`;
  const known = joined.get(key);
  if (known !== undefined) return known;
  const classes = cn(styles({ variant, size }), className);
  joined.set(key, classes);
  return classes;
}

type ButtonProps = ComponentProps<'button'> &
  ButtonStyle & {
    /** Shows a spinner and ignores presses. Unlike `disabled`, it keeps the keyboard focus. */
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
    // Also blocks submitting by Enter, which clicks the submit button.
    if (busy) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      // The spinner replaces the icon: a button that grows would move its neighbours under a thumb.
      className={buttonStyles({
        variant,
        size,
        className: cn(className, busy && '[&>:first-child+svg]:hidden'),
      })}
      onClick={press}
      {...rest}
    >
      {busy && <Spinner className="size-4" />}
      {busy && size === 'icon' ? null : children}
    </button>
  );
}
