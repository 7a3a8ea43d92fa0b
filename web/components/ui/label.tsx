// The name of a control.
import type { ReactNode } from 'react';

type LabelProps = { htmlFor: string; children: ReactNode };

export function Label({ htmlFor, children }: LabelProps) {
  return (
    <label htmlFor={htmlFor} className="block text-sm font-semibold text-ink">
      {children}
    </label>
  );
}
