import type { BadgeTone } from '#web/components/ui/badge.tsx';
import type { Staff } from './schema.ts';

export const ROLE_LABELS: Record<Staff['role'], string> = { admin: 'Admin', guard: 'Guard' };

export const FREQUENCY_LABELS: Record<Staff['payment_frequency'], string> = {
  weekly: 'Weekly',
  'bi-weekly': 'Bi-weekly',
  monthly: 'Monthly',
};

export const STATUS_LABELS: Record<Staff['status'], string> = {
  active: 'Active',
  inactive: 'Inactive',
};

export const STATUS_TONES: Record<Staff['status'], BadgeTone> = {
  active: 'green',
  inactive: 'grey',
};
