// What the contact form does: checks, sends, reports. The code for that arrives with the first touch of a field.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ContactErrors, ContactField, TypedContact } from '#shared/contact-message.ts';
import { postForm } from '../post-form.ts';
import type { Attempt } from '../submission.ts';

const FIELDS: ContactField[] = ['name', 'email', 'company', 'message'];

const loadSubmission = () => import('../submission.ts');

/** Loads ahead. A failure here is no news yet: sending tries again, and tells. */
function prepare(): void {
  loadSubmission().catch((error: unknown) => console.warn('The form is not ready yet.', error));
}

function read(form: HTMLFormElement): TypedContact {
  const data = new FormData(form);
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    name: text('name'),
    email: text('email'),
    company: text('company'),
    message: text('message'),
    website: text('website'),
  };
}

const firstOf = (errors: ContactErrors) => FIELDS.find((name) => errors[name]);

function focusFirst(form: HTMLFormElement, errors: ContactErrors): void {
  const field = firstOf(errors);
  const control = field && form.elements.namedItem(field);
  if (control instanceof HTMLElement) control.focus();
}

/**
 * State and handlers of the contact form.
 * @param faults messages that the form begins with
 */
export function useContactForm(faults: ContactErrors) {
  const [errors, setErrors] = useState<ContactErrors>(faults);
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(false);
  const [unreachable, setUnreachable] = useState(false);
  const attempt = useRef<Attempt | undefined>(undefined);
  /** The toast that repeats the message of the first field. */
  const toast = useRef<{ field: string | undefined; dismiss: (() => void) | undefined }>(undefined);

  // The visitor may have begun to type before this code arrived.
  useEffect(() => {
    if (document.activeElement?.closest('form')) prepare();
  }, []);

  async function send(form: HTMLFormElement): Promise<void> {
    setUnreachable(false);
    setSent(false);
    setSending(true);
    try {
      const { submitContactForm } = await loadSubmission();
      const outcome = await submitContactForm(read(form), attempt.current, () => postForm(form));
      attempt.current = outcome.attempt;
      toast.current = { field: firstOf(outcome.errors), dismiss: outcome.dismiss };
      setErrors(outcome.errors);
      setSent(outcome.sent);
      if (outcome.sent) form.reset();
      else focusFirst(form, outcome.errors);
    } catch (error) {
      // Not even the code for sending arrived, so no toast can show: the form says it itself.
      console.error(error);
      setUnreachable(!(await postForm(form)));
    } finally {
      setSending(false);
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!sending) void send(event.currentTarget);
  }

  /** A field that is being corrected loses its message, and the toast of that message goes too. */
  function onInput({ target }: FormEvent<HTMLFormElement>): void {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const { name } = target;
    if (toast.current?.field === name) toast.current.dismiss?.();
    setErrors((current) =>
      name in current
        ? Object.fromEntries(Object.entries(current).filter(([field]) => field !== name))
        : current,
    );
  }

  return { errors, sending, sent, unreachable, onSubmit, onInput, onFocus: prepare };
}
