// The turning ring that says "working".
// Says what is being waited for, where it will appear.
// Stands at the foot of the screen while the code of a dialog is loaded.
import { LoaderCircle } from 'lucide-react';
import { cn } from '#web/lib/cn.ts';

/** Decorative: say in words beside it what is going on. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={cn('size-5 animate-spin', className)} />;
}

export function Loading({ text = 'Loading...', className }: { text?: string; className?: string }) {
  return (
    <p
      role="status"
      className={cn('flex items-center justify-center gap-3 py-16 text-muted', className)}
    >
      <Spinner />
      {text}
    </p>
  );
}

export function Opening({ title }: { title: string }) {
  return (
    <p
      role="status"
      className="fixed inset-x-0 bottom-0 z-40 flex min-h-20 items-center justify-center gap-3 border-t border-line bg-raised shadow-overlay"
    >
      <Spinner />
      Opening {title}...
    </p>
  );
}
