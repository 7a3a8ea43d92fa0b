import { useEffect } from 'react';
import type { ContactErrors, TypedContact } from '#shared/contact-message.ts';
import { CONTACT_TEXTS } from '#shared/contact-texts.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { useContactForm } from './use-contact-form.ts';

type ContactFormProps = {
  /** Values and errors to show after a submit without JavaScript. */
  typed?: Partial<TypedContact>;
  initialErrors?: ContactErrors;
  /** Called when the event handlers are attached. */
  onReady?: () => void;
};

/** Server-rendered; until it is hydrated, and without JavaScript, the browser submits it. */
export function ContactForm({ typed = {}, initialErrors = {}, onReady }: ContactFormProps) {
  useEffect(() => onReady?.(), [onReady]);
  const { errors, sending, sent, unreachable, ...handlers } = useContactForm(initialErrors);
  return (
    <form
      noValidate
      method="post"
      action="/contact"
      className="grid gap-5 sm:grid-cols-2"
      aria-label="Contact form"
      {...handlers}
    >
      <Field label="Name" error={errors.name}>
        {(control) => (
          <Input {...control} name="name" autoComplete="name" defaultValue={typed.name} required />
        )}
      </Field>
      <Field label="Email" error={errors.email}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="email"
            defaultValue={typed.email}
            required
          />
        )}
      </Field>
      <Field label="Company" optional error={errors.company} className="sm:col-span-2">
        {(control) => (
          <Input
            {...control}
            name="company"
            autoComplete="organization"
            defaultValue={typed.company}
          />
        )}
      </Field>
      <Field label="Message" error={errors.message} className="sm:col-span-2">
        {(control) => (
          <Textarea {...control} name="message" rows={6} defaultValue={typed.message} required />
        )}
      </Field>
      {/* Honeypot: hidden from people; bots fill in every field. */}
      <div className="absolute -left-[200vw]" aria-hidden="true">
        <input name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <div className="sm:col-span-2">
        <Button type="submit" busy={sending} className="min-h-12 w-full sm:w-auto sm:px-8">
          {sending ? 'Sending...' : 'Request Consultation'}
        </Button>
        {unreachable && (
          <p role="alert" className="mt-3 text-sm font-medium text-danger">
            {CONTACT_TEXTS.failed}
          </p>
        )}
        {sent && (
          <div
            ref={(panel) => panel?.scrollIntoView({ block: 'nearest' })}
            // Leaves room for the toast below.
            className="mt-5 scroll-mb-36"
          >
            <Alert tone="success" title={CONTACT_TEXTS.sent}>
              {CONTACT_TEXTS.thanks}
            </Alert>
          </div>
        )}
      </div>
    </form>
  );
}
