// States of bank and loan accounts, in words and colours.
import type { BadgeTone } from '#web/components/ui/badge.tsx';

export const STATUS_LABELS = {
  ACTIVE: 'Active',
  INACTIVE: 'Inactive',
  CLOSED: 'Closed',
  PAID_OFF: 'Paid off',
} as const;

export const STATUS_TONES = {
  ACTIVE: 'green',
  INACTIVE: 'grey',
  CLOSED: 'red',
  PAID_OFF: 'blue',
} as const satisfies Record<keyof typeof STATUS_LABELS, BadgeTone>;
