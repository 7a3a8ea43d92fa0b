// How each class of time is named and coloured, in bars, legends and totals.
import type { Database } from '#shared/database.types.ts';

type Segment = Database['public']['Tables']['time_segments']['Row'];
export type SegmentClass = Segment['class'];

type Look = { label: string; fill: string };

export const CLASS_LOOKS: Record<SegmentClass, Look> = {
  regular: { label: 'Regular', fill: 'bg-info' },
  night: { label: 'Night', fill: 'bg-(--chart-plum)' },
  overtime_1: { label: 'Overtime 1', fill: 'bg-accent-fill' },
  overtime_2: { label: 'Overtime 2', fill: 'bg-(--chart-orange)' },
  holiday: { label: 'Holiday', fill: 'bg-(--chart-teal)' },
  leave_paid: { label: 'Paid leave', fill: 'bg-success/60' },
  leave_unpaid: {
    label: 'Unpaid leave',
    fill: 'border border-muted bg-[repeating-linear-gradient(135deg,var(--ink-muted)_0_1px,transparent_1px_6px)]',
  },
  unpaid: {
    label: 'Not paid',
    fill: 'border border-danger/70 bg-[repeating-linear-gradient(135deg,var(--danger)_0_1px,transparent_1px_6px)]',
  },
};

const isClass = (name: string): name is SegmentClass => name in CLASS_LOOKS;
/** In the order of legends and totals. */
export const CLASSES = Object.keys(CLASS_LOOKS).filter(isClass);

export const PAID_CLASSES = CLASSES.filter((name) => name !== 'leave_unpaid' && name !== 'unpaid');
