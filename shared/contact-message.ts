// Limits and messages of the contact form, for the browser and for the server, which handles posts without JavaScript.

import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';

// The content security policy forbids eval, which Zod would otherwise try.
z.config({ jitless: true });

/** Length in characters as PostgreSQL counts them: an emoji is one, not two. */
function lengthOf(text: string): number {
  return [...text].length;
}

/** Trimmed text whose length lies between two limits, both included. */
function text(name: string, minimum: number, maximum: number) {
  return z
    .string()
    .trim()
    .refine((value) => lengthOf(value) >= minimum, `${name} must be at least ${minimum} characters`)
    .refine(
      (value) => lengthOf(value) <= maximum,
      `${name} must be less than ${maximum} characters`,
    );
}

/** The order of the fields is the order in which their messages are reported. */
export const contactMessageSchema = z.object({
  name: text('Name', limits.CONTACT_MESSAGES_NAME_MIN, limits.CONTACT_MESSAGES_NAME_MAX),
  email: z
    .email('Invalid email address')
    .max(
      limits.CONTACT_MESSAGES_EMAIL_MAX,
      `Email must be less than ${limits.CONTACT_MESSAGES_EMAIL_MAX} characters`,
    ),
  company: text('Company name', 0, limits.CONTACT_MESSAGES_COMPANY_MAX),
  message: text(
    'Message',
    limits.CONTACT_MESSAGES_MESSAGE_MIN,
    limits.CONTACT_MESSAGES_MESSAGE_MAX,
  ),
});

export type ContactMessage = z.infer<typeof contactMessageSchema>;
export type ContactField = keyof ContactMessage;
export type ContactErrors = Partial<Record<ContactField, string>>;

const FIELDS = contactMessageSchema.keyof().options;

export type Validation =
  | { valid: true; message: ContactMessage }
  | { valid: false; first: string; errors: ContactErrors };

/**
 * Checks a form as it was typed.
 * @returns the message to send, or the first message of each faulty field and the first of all
 */
export function validateContactForm(form: Record<ContactField, string>): Validation {
  const result = contactMessageSchema.safeParse(form);
  if (result.success) return { valid: true, message: result.data };
  const { fieldErrors } = z.flattenError(result.error);
  const errors: ContactErrors = {};
  for (const field of FIELDS) {
    const message = fieldErrors[field]?.[0];
    if (message) errors[field] = message;
  }
  return { valid: false, first: result.error.issues[0]?.message ?? 'Invalid input', errors };
}

/** The form as it was typed. */
export type TypedContact = Record<ContactField, string> & {
  /** Honeypot, invisible to people. */
  website: string;
};

/** Response to a post without JavaScript. */
export type ContactOutcome =
  | { sent: true }
  | { sent: false; typed: TypedContact; errors: ContactErrors; title: string; reason: string };
