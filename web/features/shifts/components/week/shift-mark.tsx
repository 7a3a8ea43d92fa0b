// A shift in the week: its hours, and its staffing by icon, figures and colour. What is not covered stands out.
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { cn } from '#web/lib/cn.ts';
import type { Shift } from '../../schema.ts';
import { formatShortHours } from '../../shift-times.ts';
import { STAFFING_LABELS, staffingOf } from '../../staffing.ts';

const ICONS = { full: CircleCheck, partial: TriangleAlert, none: CircleAlert } as const;

const STYLES = {
  full: 'text-muted',
  partial: 'border-l-warning bg-warning/12 text-warning font-semibold',
  none: 'border-l-danger bg-danger/12 text-danger font-semibold',
} as const;

export function ShiftMark({ shift }: { shift: Shift }) {
  const staffing = staffingOf(shift);
  const Icon = ICONS[staffing];
  return (
    <span
      className={cn(
        'block border-l-3 border-transparent px-1.5 py-1 text-left text-[0.8125rem] leading-tight',
        STYLES[staffing],
      )}
    >
      <span className="block whitespace-nowrap">{formatShortHours(shift)}</span>
      <span className="flex items-center gap-1 tabular-nums">
        <Icon aria-hidden="true" className="size-3.5 shrink-0" />
        {shift.assigned}/{shift.required_headcount}
        <span className="sr-only">{STAFFING_LABELS[staffing]}</span>
      </span>
    </span>
  );
}
