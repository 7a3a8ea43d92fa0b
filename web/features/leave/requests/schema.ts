import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import type { LEAVE_TYPES } from '#web/lib/vocabulary/kinds.ts';
import type { LEAVE_STATUSES } from '#web/lib/vocabulary/statuses.ts';
import { requestSchema } from './guard/request-schema.ts';

type Overview = Database['public']['Views']['leave_overview']['Row'];

/** A request with the person's name. The base table checks type and status; the generated type of the view doesn't know it. */
export type LeaveRow = Omit<Overview, 'type' | 'status'> & {
  type: (typeof LEAVE_TYPES)[number];
  status: (typeof LEAVE_STATUSES)[number];
};

/** The request of somebody who phones in. */
export const phonedRequestSchema = requestSchema.safeExtend({
  person_id: z.string().min(1, 'Choose who asks for leave'),
});
export type PhonedRequest = z.infer<typeof phonedRequestSchema>;

export const decisionSchema = z.object({ note: textField('The note', 2000) });

export const cancellationSchema = z.object({
  note: textField('The note', 2000).min(1, 'Enter a reason'),
});
