import type { BadgeTone } from '#web/components/ui/badge.tsx';
import type { PayrollRow } from './schema.ts';

export const STATUS_LABELS: Record<PayrollRow['payment_status'], string> = {
  pending: 'Pending',
  paid: 'Paid',
  cancelled: 'Cancelled',
};

export const STATUS_TONES: Record<PayrollRow['payment_status'], BadgeTone> = {
  pending: 'orange',
  paid: 'green',
  cancelled: 'grey',
};

export const ROLE_LABELS = { admin: 'Admin', guard: 'Guard' } as const;
