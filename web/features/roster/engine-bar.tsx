import type { ReactNode } from 'react';

export function StatusLine({ totals, children }: { totals: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      {totals}
      <div className="flex gap-2 print:hidden">{children}</div>
    </div>
  );
}
