// What may be set on an assignment: the limits of its table.
import { z } from 'zod';
import type { BadgeTone } from '#web/components/ui/badge.tsx';
import { textField } from '#web/lib/form-fields/text-field.ts';

export const ASSIGNMENT_STATUSES = [
  'assigned',
  'confirmed',
  'completed',
  'no_show',
  'cancelled',
] as const;
type AssignmentStatus = (typeof ASSIGNMENT_STATUSES)[number];

export const ASSIGNMENT_LABELS: Record<AssignmentStatus, string> = {
  assigned: 'Assigned',
  confirmed: 'Confirmed',
  completed: 'Completed',
  no_show: 'No Show',
  cancelled: 'Cancelled',
};

export const ASSIGNMENT_TONES: Record<AssignmentStatus, BadgeTone> = {
  assigned: 'blue',
  confirmed: 'green',
  completed: 'green',
  no_show: 'red',
  cancelled: 'grey',
};

type Counting = { status: AssignmentStatus; on_leave: boolean };

/** @returns why a guard on a shift does not count towards its headcount; undefined for one who does */
export function absenceOf({ status, on_leave }: Counting): string | undefined {
  if (status === 'no_show') return 'No-show';
  return on_leave && status !== 'cancelled' ? 'On approved leave' : undefined;
}

export const assignmentSchema = z.object({
  status: z.enum(ASSIGNMENT_STATUSES),
  role_at_shift: textField('Role at shift', 100),
});
export type AssignmentForm = z.infer<typeof assignmentSchema>;
