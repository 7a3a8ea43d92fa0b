import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { listSearch, openForm, sortField } from '#web/lib/data/list-search.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { LEAVE_TYPES } from '#web/lib/vocabulary/kinds.ts';
import { LEAVE_STATUSES } from '#web/lib/vocabulary/statuses.ts';
import { requestSchema } from './guard/request-schema.ts';

type Overview = Database['public']['Views']['leave_overview']['Row'];

/** A request with the person's name. The base table checks type and status; the generated type of the view doesn't know it. */
export type LeaveRow = Omit<Overview, 'type' | 'status'> & {
  type: (typeof LEAVE_TYPES)[number];
  status: (typeof LEAVE_STATUSES)[number];
};

const day = z.iso.date().optional().catch(undefined);

export const leaveSearch = z.object({
  ...listSearch,
  open: openForm,
  status: z.enum(LEAVE_STATUSES).optional().catch(undefined),
  type: z.enum(LEAVE_TYPES).optional().catch(undefined),
  sort: sortField(['person', 'type', 'dates', 'days', 'status']),
  /** Leave that overlaps `from` to `to`, both inclusive; yyyy-MM-dd. */
  from: day,
  to: day,
  /** Shown in the calendar, yyyy-MM; default this month. */
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
});
export type LeaveSearch = z.infer<typeof leaveSearch>;
export type LeaveFilters = Pick<LeaveSearch, 'q' | 'status' | 'type' | 'from' | 'to' | 'sort'>;

/** The request of somebody who phones in. */
export const phonedRequestSchema = requestSchema.safeExtend({
  person_id: z.string().min(1, 'Choose who asks for leave'),
});
export type PhonedRequest = z.infer<typeof phonedRequestSchema>;

export const decisionSchema = z.object({ note: textField('The note', 2000) });

export const cancellationSchema = z.object({
  note: textField('The note', 2000).min(1, 'Enter a reason'),
});
