import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { INCIDENTS_CATEGORY, INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { choiceField, describedField, orNull, textField } from '#web/lib/form-fields/text-field.ts';
import { fromLocalInput } from '#web/lib/format/dates.ts';
import { attachmentSchema } from '../attachment.ts';

export const reportSchema = z.object({
  site_id: z.uuid('Please select a valid site'),
  title: describedField('Title', limits.INCIDENTS_TITLE_MIN, limits.INCIDENTS_TITLE_MAX),
  category: choiceField(INCIDENTS_CATEGORY, 'Please select a category'),
  severity: choiceField(INCIDENTS_SEVERITY, 'Please select a severity'),
  description: describedField(
    'Description',
    limits.INCIDENTS_DESCRIPTION_MIN,
    limits.INCIDENTS_DESCRIPTION_MAX,
  ),
  /** Value of a datetime-local input, in the company's zone; empty if it happened just now. */
  happened_at: z
    .string()
    .refine((value) => value === '' || fromLocalInput(value) !== undefined, {
      error: 'Enter a valid date and time',
    })
    .refine((value) => !(Date.parse(fromLocalInput(value) ?? '') > serverNow()), {
      error: 'It can’t have happened in the future',
    }),
  witnesses: textField('The witnesses', limits.INCIDENTS_WITNESSES_MAX),
});

export type ReportForm = z.infer<typeof reportSchema>;

const draftSchema = z.object({
  site_id: z.string().catch(''),
  title: z.string().catch(''),
  category: z.union([z.literal(''), z.enum(INCIDENTS_CATEGORY)]).catch(''),
  severity: z.union([z.literal(''), z.enum(INCIDENTS_SEVERITY)]).catch(''),
  description: z.string().catch(''),
  happened_at: z.string().catch(''),
  witnesses: z.string().catch(''),
});

export const parseDraft = (values: Record<string, string>): ReportForm => draftSchema.parse(values);

/** A valid report, as it is stored. */
export const submittedSchema = reportSchema.extend({
  category: z.enum(INCIDENTS_CATEGORY),
  severity: z.enum(INCIDENTS_SEVERITY),
  /** ISO 8601 in UTC. Entries that wait since the release before have neither. */
  happened_at: z.iso.datetime().nullish(),
  witnesses: z.string().nullish(),
});

/** @returns the row of a form that was checked */
export const toReport = ({ happened_at, witnesses, ...form }: ReportForm) =>
  submittedSchema.parse({
    ...form,
    happened_at: fromLocalInput(happened_at) ?? null,
    witnesses: orNull(witnesses),
  });

/** A file of the report. The outbox stores its content separately, under `attachmentId`. */
const evidenceSchema = attachmentSchema
  .omit({ id: true, content: true })
  .extend({ id: z.uuid(), attachmentId: z.uuid() });

export const reportEntrySchema = z.object({
  report: submittedSchema.extend({ id: z.uuid(), raised_by_user_id: z.uuid() }),
  evidence: z.array(evidenceSchema),
});

export type ReportEntry = z.infer<typeof reportEntrySchema>;
export type ReportEvidence = z.infer<typeof evidenceSchema>;
