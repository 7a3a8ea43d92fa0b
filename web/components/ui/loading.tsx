// Says what is being waited for, where it will appear.
import { cn } from '#web/lib/cn.ts';
import { Spinner } from './spinner.tsx';

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
