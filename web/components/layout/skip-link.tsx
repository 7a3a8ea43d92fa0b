import { cn } from '#web/lib/cn.ts';

type SkipLinkProps = {
  /** Id of an element that can have the focus. */
  to: string;
  /** Where it appears, if not at the upper left of the window. */
  className?: string;
  children: string;
};

/** By keyboard, past what comes before. Visible while it has the focus. */
export function SkipLink(props: SkipLinkProps) {
  const { to, className = 'focus:fixed focus:top-2 focus:left-2', children } = props;
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        // The address stays, and with it what a reload and Back do.
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
      className={cn(
        'sr-only z-60 rounded-sm bg-raised font-semibold focus:not-sr-only focus:px-4 focus:py-3',
        className,
      )}
    >
      {children}
    </a>
  );
}
