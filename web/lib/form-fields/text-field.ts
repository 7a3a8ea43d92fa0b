import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';

/** @param maximum characters, after trimming */
export function textField(name: string, maximum: number) {
  return z.string().trim().max(maximum, `${name} must be at most ${maximum} characters`);
}

/** A text that says something. The specification writes "less than" although `maximum` itself is allowed. */
export function describedField(name: string, minimum: number, maximum: number) {
  return z
    .string()
    .trim()
    .min(minimum, `${name} must be at least ${minimum} characters`)
    .max(maximum, `${name} must be less than ${maximum} characters`);
}

/** Why something is voided, credited or declined. */
export const reasonField = textField('Reason', limits.CREDIT_NOTES_REASON_MAX).min(
  1,
  'Reason is required',
);

/** Title of a statement or an expense. */
export const titleField = describedField(
  'Title',
  limits.EXPENSE_REPORTS_TITLE_MIN,
  limits.EXPENSE_REPORTS_TITLE_MAX,
);

/** Notes of a statement or an expense. */
export const shortNotesField = z
  .string()
  .max(
    limits.EXPENSE_REPORTS_NOTES_MAX,
    `Notes must be less than ${limits.EXPENSE_REPORTS_NOTES_MAX} characters`,
  );

/** Trims the text; null if it is empty. */
export const orNull = (text: string) => text.trim() || null;

// Not a type guard: the form's type must still allow the empty choice.
const isChosen = (value: string): boolean => value !== '';

/** A required select, empty until the user chooses. */
export function choiceField<Value extends string>(values: readonly Value[], message: string) {
  return z.union([z.literal(''), z.enum(values)]).refine(isChosen, message);
}

/** Stored by a picker: the record, and how it is shown. */
export const pickedSchema = z.object({
  id: z.uuid(),
  label: z.string(),
  hint: z.string().optional(),
});
