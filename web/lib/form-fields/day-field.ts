import { z } from 'zod';

/** Value of a date input, yyyy-MM-dd. */
export function dayField(required: string) {
  return z.string().min(1, required);
}

export const optionalDayField = z.string();

/** Whether the end is not before the start, or one of them is empty. Days as yyyy-MM-dd compare as text. */
export function isInOrder(start: string, end: string): boolean {
  return start === '' || end === '' || end >= start;
}
