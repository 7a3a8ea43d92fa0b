import { CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';

const LOOKS = {
  danger: { Icon: TriangleAlert, colour: 'text-danger', border: 'border-danger/45' },
  warning: { Icon: TriangleAlert, colour: 'text-warning', border: 'border-warning/55' },
  info: { Icon: Info, colour: 'text-info', border: 'border-info/45' },
  success: { Icon: CircleCheck, colour: 'text-success', border: 'border-success/45' },
};

type AlertProps = {
  tone?: keyof typeof LOOKS;
  title: string;
  children?: ReactNode;
  /** Buttons, for example to try again. */
  action?: ReactNode;
  className?: string;
};

export function Alert({ tone = 'info', title, children, action, className }: AlertProps) {
  const { Icon, colour, border } = LOOKS[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cn(
        'flex flex-wrap items-start gap-x-3 gap-y-4 rounded-sm border bg-raised p-4 print:[&_button]:hidden',
        border,
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
