// The turning ring that says "working".
import { LoaderCircle } from 'lucide-react';
import { cn } from '#web/lib/cn.ts';

/** Decorative: say in words beside it what is going on. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={cn('size-5 animate-spin', className)} />;
}
