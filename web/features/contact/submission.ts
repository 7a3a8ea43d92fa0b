// One press of the form's button: check, send, tell the visitor. Loaded apart from the page.

import {
  type ContactErrors,
  type ContactMessage,
  type TypedContact,
  validateContactForm,
} from '#shared/contact-message.ts';
import { CONTACT_TEXTS } from '#shared/contact-texts.ts';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { isMissingFile } from '#web/lib/errors/missing-file.ts';
import { TooManyMessages } from './limit.ts';
import { mountToaster } from './mount-toaster.tsx';

/** A message on its way. Sent again unchanged it keeps its id, so it is stored once. */
export type Attempt = { id: string | undefined; content: string };

export type Outcome = {
  sent: boolean;
  errors: ContactErrors;
  attempt?: Attempt;
  /** Takes the toast of the first message away before its time. */
  dismiss?: () => void;
};

function attemptFor(message: ContactMessage, last: Attempt | undefined): Attempt {
  const content = JSON.stringify(message);
  if (last?.content === content) return last;
  // Browsers offer randomUUID on secure origins only; elsewhere the database makes the id.
  return { id: 'randomUUID' in crypto ? crypto.randomUUID() : undefined, content };
}

/**
 * Checks and sends a form as it was typed, and shows the toasts of the specification's section 8.
 * @param last the attempt that an earlier call returned, if that one failed
 * @param post sends the form without our code; false where that is not possible either
 */
export async function submitContactForm(
  { website, ...typed }: TypedContact,
  last: Attempt | undefined,
  post: () => Promise<boolean>,
): Promise<Outcome> {
  mountToaster();
  const validation = validateContactForm(typed);
  if (!validation.valid) {
    const dismiss = showError(CONTACT_TEXTS.invalid, validation.first);
    return { sent: false, errors: validation.errors, attempt: last, dismiss };
  }
  const attempt = attemptFor(validation.message, last);
  try {
    if (!website) {
      const { sendContactMessage } = await import('./api/send-contact-message.ts');
      await sendContactMessage(attempt.id, validation.message);
    }
  } catch (error) {
    console.error(error);
    const failed: Outcome = { sent: false, errors: {}, attempt };
    if (isMissingFile(error) && (await post())) return failed;
    showError('Error', error instanceof TooManyMessages ? error.message : CONTACT_TEXTS.failed);
    return failed;
  }
  showSuccess(CONTACT_TEXTS.sent, CONTACT_TEXTS.thanks);
  return { sent: true, errors: {} };
}
