import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import {
  type ContactErrors,
  type ContactMessage,
  type TypedContact,
  validateContactForm,
} from '#shared/contact-message.ts';
import { CONTACT_TEXTS } from '#shared/contact-texts.ts';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { Toaster } from '#web/components/ui/toaster.tsx';
import { isMissingFile } from '#web/lib/errors/missing-file.ts';

let hasToaster = false;

/** The public page contains no toaster until its first toast. */
function mountToaster(): void {
  if (hasToaster) return;
  hasToaster = true;
  const container = document.body.appendChild(document.createElement('div'));
  flushSync(() => createRoot(container).render(<Toaster />));
}

/** Sending unchanged content again keeps the id, so the message is stored once. */
export type Attempt = { id: string | undefined; content: string };

type Outcome = {
  sent: boolean;
  errors: ContactErrors;
  attempt?: Attempt;
  /** Closes the toast of the first error. */
  dismiss?: () => void;
};

function attemptFor(message: ContactMessage, last: Attempt | undefined): Attempt {
  const content = JSON.stringify(message);
  if (last?.content === content) return last;
  // Browsers offer randomUUID in secure contexts only; otherwise the database creates the id.
  return { id: 'randomUUID' in crypto ? crypto.randomUUID() : undefined, content };
}

/**
 * Validates and sends the form, and shows the toasts.
 * @param last the attempt returned by an earlier call, if that one failed
 * @param post submits the form without JavaScript; false if that is not possible either
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
  const failed: Outcome = { sent: false, errors: {}, attempt };
  try {
    if (!website) {
      const { sendContactMessage } = await import('./send-contact-message.ts');
      const { refused } = await sendContactMessage(attempt.id, validation.message);
      if (refused !== undefined) {
        showError('Error', refused);
        return failed;
      }
    }
  } catch (error) {
    console.error(error);
    if (isMissingFile(error) && (await post())) return failed;
    showError('Error', CONTACT_TEXTS.failed);
    return failed;
  }
  showSuccess(CONTACT_TEXTS.sent, CONTACT_TEXTS.thanks);
  return { sent: true, errors: {} };
}
