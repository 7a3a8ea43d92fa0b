// What may be wider than the screen: it scrolls sideways by itself, also by keyboard.
import type { ReactNode } from 'react';

export function ScrollRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus a keyboard can't scroll it (WCAG 2.1.1).
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      {children}
    </section>
  );
}
