import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { ContactErrors, ContactField, TypedContact } from '#shared/contact-message.ts';
import { postForm } from './native-form.ts';
import type { Attempt } from './submission.tsx';

const FIELDS: ContactField[] = ['name', 'email', 'company', 'message'];

const loadSubmission = () => import('./submission.tsx');

/** Preloads the code for sending. On failure, sending loads it again and reports the error. */
function preload(): void {
  loadSubmission().catch((error: unknown) =>
    console.warn('The code of the contact form was not loaded.', error),
  );
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

/** @param initialErrors errors of a submit without JavaScript */
export function useContactForm(initialErrors: ContactErrors) {
  const [errors, setErrors] = useState<ContactErrors>(initialErrors);
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(false);
  const [unreachable, setUnreachable] = useState(false);
  const attempt = useRef<Attempt | undefined>(undefined);
  /** The toast that shows the first field's error. */
  const toast = useRef<{ field: string | undefined; dismiss: (() => void) | undefined }>(undefined);

  // The visitor may have started typing before this code was loaded.
  useEffect(() => {
    if (document.activeElement?.closest('form')) preload();
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
      // The code for sending, with the toaster, was not loaded, so the form shows the error.
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

  /** Removes the error of the field being corrected, and its toast. */
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

  return { errors, sending, sent, unreachable, onSubmit, onInput, onFocus: preload };
}
