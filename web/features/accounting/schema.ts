import { z } from 'zod';
import { textField } from '#web/lib/form-fields/text-field.ts';

export const journalSchema = z.array(
  z.object({
    day: z.string(),
    kind: z.string(),
    document: z.string(),
    account_code: z.string(),
    account_name: z.string(),
    debit: z.string(),
    credit: z.string(),
    currency: z.string(),
    text: z.string(),
  }),
);
export type JournalLine = z.infer<typeof journalSchema>[number];

export const accountSchema = z.object({
  code: textField('Code', 20).min(1, 'Code is required'),
  name: textField('Name', 100).min(1, 'Name is required'),
});
export type AccountForm = z.infer<typeof accountSchema>;
