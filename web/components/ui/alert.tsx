// A message that stays in the page: something failed, or something must be known.
import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

type AlertProps = {
  tone?: 'danger' | 'info';
  title: string;
  children?: ReactNode;
  /** Buttons that lead on, for example to try again. */
  action?: ReactNode;
  className?: string;
};

export function Alert({ tone = 'info', title, children, action, className }: AlertProps) {
  const Icon = tone === 'danger' ? TriangleAlert : Info;
  const colour = tone === 'danger' ? 'text-danger' : 'text-info';
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cn(
        'flex flex-wrap items-start gap-x-3 gap-y-4 rounded-sm border bg-raised p-4',
        tone === 'danger' ? 'border-danger/45' : 'border-info/45',
        className,
      )}
    >
      <Icon aria-hidden="true" className={cn('mt-0.5 size-5 shrink-0', colour)} />
      <div className="min-w-48 flex-1">
        <p className="font-semibold">{title}</p>
        {children && <div className="mt-1 text-sm text-muted">{children}</div>}
      </div>
      {action}
    </div>
  );
}
