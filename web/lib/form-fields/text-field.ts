import { z } from 'zod';

/** @param maximum characters, after trimming */
export function textField(name: string, maximum: number) {
  return z.string().trim().max(maximum, `${name} must be at most ${maximum} characters`);
}

/** Why something is voided, credited or declined. */
export const reasonField = textField('Reason', 500).min(1, 'Reason is required');

/** Title of a statement or an expense. */
export const titleField = z
  .string()
  .trim()
  .min(3, 'Title must be at least 3 characters')
  .max(200, 'Title must be less than 200 characters');

/** Notes of a statement or an expense. */
export const shortNotesField = z.string().max(1000, 'Notes must be less than 1000 characters');

/** Trims the text; null if it is empty. */
export const orNull = (text: string) => text.trim() || null;

// Not a type guard: the form's type must still allow the empty choice.
const isChosen = (value: string): boolean => value !== '';

/** A required select, empty until the user chooses. */
export function choiceField<Value extends string>(values: readonly Value[], message: string) {
  return z.union([z.literal(''), z.enum(values)]).refine(isChosen, message);
}

/** What a picker stores: the record, and how it is shown. */
export const pickedSchema = z.object({
  id: z.uuid(),
  label: z.string(),
  hint: z.string().optional(),
});
