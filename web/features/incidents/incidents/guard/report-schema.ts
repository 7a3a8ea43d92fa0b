import { z } from 'zod';
import { choiceField } from '#web/lib/form-fields/text-field.ts';
import { INCIDENT_CATEGORIES } from '#web/lib/vocabulary/kinds.ts';
import { SEVERITIES } from '#web/lib/vocabulary/statuses.ts';
import { attachmentSchema } from '../attachment.ts';

export const reportSchema = z.object({
  site_id: z.uuid('Please select a valid site'),
  title: z
    .string()
    .trim()
    .min(5, 'Title must be at least 5 characters')
    .max(200, 'Title must be less than 200 characters'),
  category: choiceField(INCIDENT_CATEGORIES, 'Please select a category'),
  severity: choiceField(SEVERITIES, 'Please select a severity'),
  description: z
    .string()
    .trim()
    .min(20, 'Description must be at least 20 characters')
    .max(5000, 'Description must be less than 5000 characters'),
});

export type ReportForm = z.infer<typeof reportSchema>;

const draftSchema = z.object({
  site_id: z.string().catch(''),
  title: z.string().catch(''),
  category: z.union([z.literal(''), z.enum(INCIDENT_CATEGORIES)]).catch(''),
  severity: z.union([z.literal(''), z.enum(SEVERITIES)]).catch(''),
  description: z.string().catch(''),
});

export const parseDraft = (values: Record<string, string>): ReportForm => draftSchema.parse(values);

/** A valid report, as it is stored. */
export const submittedSchema = reportSchema.extend({
  category: z.enum(INCIDENT_CATEGORIES),
  severity: z.enum(SEVERITIES),
});

/** A file of the report. The outbox stores its content separately, under `attachmentId`. */
const evidenceSchema = attachmentSchema
  .omit({ id: true, content: true })
  .extend({ id: z.uuid(), attachmentId: z.uuid() });

/** Payload of the outbox entry. */
export const reportEntrySchema = z.object({
  report: submittedSchema.extend({ id: z.uuid(), raised_by_user_id: z.uuid() }),
  evidence: z.array(evidenceSchema),
});

export type ReportEntry = z.infer<typeof reportEntrySchema>;
export type ReportEvidence = z.infer<typeof evidenceSchema>;
