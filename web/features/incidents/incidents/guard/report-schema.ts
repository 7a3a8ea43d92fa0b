import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { INCIDENTS_CATEGORY, INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import { choiceField, describedField } from '#web/lib/form-fields/text-field.ts';
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
});

export type ReportForm = z.infer<typeof reportSchema>;

const draftSchema = z.object({
  site_id: z.string().catch(''),
  title: z.string().catch(''),
  category: z.union([z.literal(''), z.enum(INCIDENTS_CATEGORY)]).catch(''),
  severity: z.union([z.literal(''), z.enum(INCIDENTS_SEVERITY)]).catch(''),
  description: z.string().catch(''),
});

export const parseDraft = (values: Record<string, string>): ReportForm => draftSchema.parse(values);

/** A valid report, as it is stored. */
export const submittedSchema = reportSchema.extend({
  category: z.enum(INCIDENTS_CATEGORY),
  severity: z.enum(INCIDENTS_SEVERITY),
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
