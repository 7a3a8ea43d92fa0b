import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import type { LEAVE_REQUESTS_STATUS, LEAVE_REQUESTS_TYPE } from '#shared/database.values.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { requestSchema } from './guard/request-schema.ts';

type Overview = Database['public']['Views']['leave_overview']['Row'];

/** A request with the person's name. The base table checks type and status; the generated type of the view doesn't know it. */
export type LeaveRow = Omit<Overview, 'type' | 'status'> & {
  type: (typeof LEAVE_REQUESTS_TYPE)[number];
  status: (typeof LEAVE_REQUESTS_STATUS)[number];
};

export const phonedRequestSchema = requestSchema.safeExtend({
  person_id: z.string().min(1, 'Choose who asks for leave'),
});
export type PhonedRequest = z.infer<typeof phonedRequestSchema>;

export const decisionSchema = z.object({
  note: textField('The note', limits.LEAVE_REQUESTS_DECISION_NOTE_MAX),
});

export const cancellationSchema = z.object({
  note: textField('The note', limits.LEAVE_REQUESTS_DECISION_NOTE_MAX).min(1, 'Enter a reason'),
});
