// The title of a screen inside the portal, and what can be done there at its right.
import type { ReactNode } from 'react';

export function ScreenHeading({ children, actions }: { children: string; actions?: ReactNode }) {
  return (
    <div className="mb-7 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <h2 className="font-display text-3xl leading-tight sm:text-4xl">{children}</h2>
      {actions}
    </div>
  );
}
