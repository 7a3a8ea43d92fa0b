// The contact form of the public site. In the static page its button waits until the browser runs it.
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Textarea } from '#web/components/ui/textarea.tsx';
import { useContactForm } from './use-contact-form.ts';

export function ContactForm() {
  const { ready, errors, sending, unreachable, ...handlers } = useContactForm();
  return (
    <form noValidate className="grid gap-5 sm:grid-cols-2" aria-label="Contact form" {...handlers}>
      <Field label="Name" error={errors.name}>
        {(control) => <Input {...control} name="name" autoComplete="name" required />}
      </Field>
      <Field label="Email" error={errors.email}>
        {(control) => (
          <Input {...control} name="email" type="email" autoComplete="email" required />
        )}
      </Field>
      <Field label="Company" optional error={errors.company} className="sm:col-span-2">
        {(control) => <Input {...control} name="company" autoComplete="organization" />}
      </Field>
      <Field label="Message" error={errors.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} name="message" rows={6} required />}
      </Field>
      {/* Honeypot: off screen for people, tempting for programs that fill every field. */}
      <div className="absolute -left-[200vw]" aria-hidden="true">
        <input name="website" tabIndex={-1} autoComplete="off" />
      </div>
      <div className="sm:col-span-2">
        <Button
          type="submit"
          disabled={!ready}
          busy={sending}
          className="min-h-12 w-full sm:w-auto sm:px-8"
        >
          {sending ? 'Sending...' : 'Request Consultation'}
        </Button>
        {unreachable && (
          <p role="alert" className="mt-3 text-sm font-medium text-danger">
            Failed to send message. Please try again.
          </p>
        )}
      </div>
    </form>
  );
}
