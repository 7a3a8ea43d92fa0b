import type { BadgeTone } from '#web/components/ui/badge.tsx';
import type { Deployment } from './schema.ts';

export const STATUS_LABELS: Record<Deployment['status'], string> = {
  scheduled: 'Scheduled',
  active: 'Active',
  completed: 'Completed',
  cancelled: 'Cancelled',
};

export const STATUS_TONES: Record<Deployment['status'], BadgeTone> = {
  scheduled: 'blue',
  active: 'green',
  completed: 'grey',
  cancelled: 'red',
};
