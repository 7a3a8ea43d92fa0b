// What may be entered in a report of an incident (specification, section 5).
import { z } from 'zod';
import { CATEGORIES, SEVERITIES } from '../labels.ts';

// Says nothing about the type, so that a form with nothing chosen yet stays a form.
const isChosen = (value: string): boolean => value !== '';

/** A choice that has not been made yet is empty. */
function choice<Value extends string>(values: readonly Value[], message: string) {
  return z.union([z.literal(''), z.enum(values)]).refine(isChosen, message);
}

export const reportSchema = z.object({
  site_id: z.uuid('Please select a valid site'),
  title: z
    .string()
    .trim()
    .min(5, 'Title must be at least 5 characters')
    .max(200, 'Title must be less than 200 characters'),
  category: choice(CATEGORIES, 'Please select a category'),
  severity: choice(SEVERITIES, 'Please select a severity'),
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
  category: z.union([z.literal(''), z.enum(CATEGORIES)]).catch(''),
  severity: z.union([z.literal(''), z.enum(SEVERITIES)]).catch(''),
  description: z.string().catch(''),
});

/** @returns the form as it was left; empty where nothing was written yet */
export const formOfDraft = (values: Record<string, string>): ReportForm =>
  draftSchema.parse(values);

/** A report that has passed the rules, as it is stored. */
export const submittedSchema = reportSchema.extend({
  category: z.enum(CATEGORIES),
  severity: z.enum(SEVERITIES),
});
