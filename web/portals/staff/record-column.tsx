// As wide as a line is read: on a wide screen the figure at the end of a row stays near its name.
import type { ReactNode } from 'react';

export function RecordColumn({ children }: { children: ReactNode }) {
  return <div className="max-w-4xl">{children}</div>;
}
