import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';

/** Whether the text has the name as whole words, in any case. */
function mentions(text: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<!\\p{L})${escaped}(?!\\p{L})`, 'iu').test(text);
}

const fields = z.object({
  addressee: textField('The addressee', limits.INCIDENT_LETTERS_ADDRESSEE_MAX).min(
    limits.INCIDENT_LETTERS_ADDRESSEE_MIN,
    'Enter who the letter is for',
  ),
  address: textField('The address', limits.INCIDENT_LETTERS_ADDRESS_MAX),
  by_mail: z.boolean(),
  email: textField('The email address', limits.INCIDENT_LETTERS_EMAIL_MAX),
  subject: textField('The subject', limits.INCIDENT_LETTERS_SUBJECT_MAX).min(
    limits.INCIDENT_LETTERS_SUBJECT_MIN,
    `The subject must be at least ${limits.INCIDENT_LETTERS_SUBJECT_MIN} characters`,
  ),
  summary: textField('The summary', limits.INCIDENT_LETTERS_SUMMARY_MAX).min(
    limits.INCIDENT_LETTERS_SUMMARY_MIN,
    `The summary must be at least ${limits.INCIDENT_LETTERS_SUMMARY_MIN} characters`,
  ),
  actions: textField('Actions taken', limits.INCIDENT_LETTERS_ACTIONS_MAX),
  names_included: z.boolean(),
  /** Ids of evidence. */
  photo_ids: z
    .array(z.string())
    .max(
      limits.INCIDENT_LETTERS_PHOTO_IDS_MAX,
      `Choose at most ${limits.INCIDENT_LETTERS_PHOTO_IDS_MAX} photos`,
    ),
  signatory: textField('The name', limits.INCIDENT_LETTERS_SIGNATORY_MAX).min(
    limits.INCIDENT_LETTERS_SIGNATORY_MIN,
    'Enter who signs the letter',
  ),
  signatory_title: textField('The position', limits.INCIDENT_LETTERS_SIGNATORY_TITLE_MAX),
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
