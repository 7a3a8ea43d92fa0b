import { z } from 'zod';
import { textField } from '#web/lib/form-fields/text-field.ts';

/** Whether the text has the name as whole words, in any case. */
function mentions(text: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\p{L})${escaped}(?!\\p{L})`, 'iu').test(text);
}

const fields = z.object({
  addressee: textField('The addressee', 200).min(2, 'Enter who the letter is for'),
  address: textField('The address', 500),
  by_mail: z.boolean(),
  email: textField('The email address', 255),
  subject: textField('The subject', 200).min(5, 'The subject must be at least 5 characters'),
  summary: textField('The summary', 5000).min(20, 'The summary must be at least 20 characters'),
  actions: textField('Actions taken', 5000),
  names_included: z.boolean(),
  /** Ids of evidence. */
  photo_ids: z.array(z.string()).max(12, 'Choose at most 12 photos'),
  signatory: textField('The name', 100).min(2, 'Enter who signs the letter'),
  signatory_title: textField('The position', 100),
});
export type LetterForm = z.infer<typeof fields>;

const WRITTEN = ['subject', 'summary', 'actions'] as const;

/** @param names of the people inside the company whom the letter must not name unless that was chosen */
export function letterSchema(names: readonly string[]) {
  return fields.check(({ value, issues }) => {
    const add = (path: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [path], message });
    if (value.by_mail && !z.email().safeParse(value.email).success) {
      add('email', 'Enter a valid email address');
    }
    if (value.names_included) return;
    for (const field of WRITTEN) {
      const named = names.filter((name) => mentions(value[field], name));
      if (named.length > 0) {
        add(field, `It names ${named.join(' and ')}. Remove the name, or include names.`);
      }
    }
  });
}
