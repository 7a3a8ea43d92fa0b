import type { BadgeTone } from '#web/components/ui/badge.tsx';

/** In the order of the form. */
export const LEAVE_TYPES = [
  'annual',
  'sick',
  'emergency',
  'unpaid',
  'maternity',
  'paternity',
  'bereavement',
] as const;
export type LeaveType = (typeof LEAVE_TYPES)[number];

export const TYPE_LABELS: Record<LeaveType, string> = {
  annual: 'Annual',
  sick: 'Sick',
  emergency: 'Emergency',
  unpaid: 'Unpaid',
  maternity: 'Maternity',
  paternity: 'Paternity',
  bereavement: 'Bereavement',
};

export const LEAVE_STATUSES = ['pending', 'approved', 'rejected', 'cancelled'] as const;
export type LeaveStatus = (typeof LEAVE_STATUSES)[number];

export const STATUS_LABELS: Record<LeaveStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
};

export const STATUS_TONES: Record<LeaveStatus, BadgeTone> = {
  pending: 'orange',
  approved: 'green',
  rejected: 'red',
  cancelled: 'grey',
};
