// States of an assignment, in words and colours.
import type { BadgeTone } from '#web/components/ui/badge.tsx';
import type { MyShift } from './api/list-my-shifts.ts';

type Status = MyShift['status'];

export const STATUS_LABELS: Record<Status, string> = {
  assigned: 'Assigned',
  confirmed: 'Confirmed',
  completed: 'Completed',
  no_show: 'No Show',
  cancelled: 'Cancelled',
};

export const STATUS_TONES: Record<Status, BadgeTone> = {
  assigned: 'blue',
  confirmed: 'green',
  completed: 'grey',
  no_show: 'red',
  cancelled: 'grey',
};
