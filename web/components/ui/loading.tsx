import { LoaderCircle } from 'lucide-react';
import { cn } from '#web/lib/cn.ts';

/** Decorative; put text next to it. */
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

/** At the bottom of the screen while a dialog's code loads. */
export function Opening({ title }: { title: string }) {
  return (
    <p
      role="status"
      className="fixed inset-x-0 bottom-(--bottom-bar) z-40 flex min-h-20 items-center justify-center gap-3 border-t border-line bg-raised shadow-overlay"
    >
      <Spinner />
      Opening {title}...
    </p>
  );
}
