import { cva } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import { STATUS_LABELS, STATUS_TONES } from '#web/lib/vocabulary/statuses.ts';

const badgeStyles = cva(
  [
    'inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-[0.8125rem] font-semibold whitespace-nowrap',
    'before:size-1.5 before:rounded-full before:bg-current',
  ],
  {
    variants: {
      tone: {
        blue: 'border-info/35 bg-info/12 text-info',
        green: 'border-success/35 bg-success/12 text-success',
        grey: 'border-muted/35 bg-muted/12 text-muted',
        red: 'border-danger/35 bg-danger/12 text-danger',
        orange: 'border-warning/35 bg-warning/12 text-warning',
        yellow: 'border-caution-fill/60 bg-caution-fill/20 text-caution before:bg-caution-fill',
      } satisfies Record<Tone, string>,
    },
    defaultVariants: { tone: 'grey' },
  },
);

type BadgeProps = ComponentProps<'span'> & { tone: Tone };

export function Badge({ tone, className, ...rest }: BadgeProps) {
  return <span className={cn(badgeStyles({ tone }), className)} {...rest} />;
}

/** The label says it; the colour only repeats it. */
export function StatusBadge({ status }: { status: keyof typeof STATUS_LABELS }) {
  return <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>;
}
