// E-mail address and password, and the ways on for whoever has forgotten one of them.
import { type FormEvent, useRef } from 'react';
import { EmailField } from '#web/components/form/email-field.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { type Credentials, useSignIn } from '../api/sign-in.ts';
import { ProviderButtons } from './provider-buttons.tsx';

type SignInFormProps = {
  submitLabel: string;
  defaultEmail: string;
  /** Title and, if any, text of the toast. */
  success: readonly [string, string?];
  failure: string;
  /** Called with the address typed so far. */
  onForgotten: (email: string) => void;
};

export function SignInForm(props: SignInFormProps) {
  const { submitLabel, defaultEmail, success, failure, onForgotten } = props;
  const signIn = useSignIn();
  const form = useRef<HTMLFormElement>(null);
  // The browser's own form: a library for two fields would delay the first screen.
  const typed = (name: keyof Credentials) =>
    String(new FormData(form.current ?? undefined).get(name) ?? '');
  function submit(event: FormEvent) {
    event.preventDefault();
    signIn
      .mutateAsync({ email: typed('email'), password: typed('password') })
      // Whoever owes a second step is not in yet.
      .then(({ isComplete }) => isComplete && showSuccess(...success))
      .catch((error: unknown) => showError(failure, messageOf(error)));
  }
  return (
    <div className="grid gap-5">
      <form ref={form} onSubmit={submit} className="grid gap-5">
        <EmailField registration={{ name: 'email', defaultValue: defaultEmail }} />
        <PasswordField registration={{ name: 'password' }} />
        <Button type="submit" busy={signIn.isPending} className="mt-1 w-full">
          {submitLabel}
        </Button>
      </form>
      <p className="-my-2 text-center">
        <Button variant="link" onClick={() => onForgotten(typed('email'))}>
          Forgot password?
        </Button>
      </p>
      <ProviderButtons />
    </div>
  );
}
