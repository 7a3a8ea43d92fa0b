import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { fromLocalInput } from '#web/lib/format/dates.ts';
import { reportSchema } from './guard/report-schema.ts';

/** A report by telephone: from a person with an account, or a caller without one. */
export const phonedReportSchema = reportSchema
  .extend({
    person_id: z.string(),
    caller: textField('The caller', limits.INCIDENTS_CALLER_MAX),
  })
  .refine(({ person_id, caller }) => person_id !== '' || caller !== '', {
    path: ['caller'],
    error: 'Choose who reports it, or enter the name and number of the caller',
  });
export type PhonedReport = z.infer<typeof phonedReportSchema>;

export const followUpSchema = z.object({
  owner_id: z.string(),
  /** Value of a datetime-local input, in the company's zone. */
  due_at: z.string().refine((value) => value === '' || fromLocalInput(value) !== undefined, {
    error: 'Enter a valid date and time',
  }),
});
export type FollowUp = z.infer<typeof followUpSchema>;
