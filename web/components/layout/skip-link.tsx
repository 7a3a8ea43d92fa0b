type SkipLinkProps = {
  /** Id of an element that can have the focus. */
  to: string;
  children: string;
};

/** By keyboard, past what comes before. Visible while it has the focus. */
export function SkipLink({ to, children }: SkipLinkProps) {
  return (
    <a
      href={`#${to}`}
      onClick={(event) => {
        // The address stays, and with it what a reload and Back do.
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
      className="sr-only z-60 rounded-sm bg-raised px-4 py-3 font-semibold focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      {children}
    </a>
  );
}
