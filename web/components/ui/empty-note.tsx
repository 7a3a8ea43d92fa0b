import type { ReactNode } from 'react';

export function EmptyNote({ children }: { children: ReactNode }) {
  return (
    <p
      role="status"
      className="rounded-sm border border-dashed border-line-strong px-6 py-16 text-center text-muted"
    >
      {children}
    </p>
  );
}
