// E-mail address and password, and the ways on for whoever has forgotten one of them.
import { useForm } from 'react-hook-form';
import { EmailField } from '#web/components/form/email-field.tsx';
import { PasswordField } from '#web/components/form/password-field.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
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
  const { register, handleSubmit, getValues } = useForm<Credentials>({
    defaultValues: { email: defaultEmail, password: '' },
  });
  const submit = handleSubmit((credentials) =>
    signIn
      .mutateAsync(credentials)
      // Whoever owes a second step is not in yet.
      .then(({ isComplete }) => isComplete && showSuccess(...success))
      .catch((error: unknown) => showError(failure, messageOf(error))),
  );
  return (
    <div className="grid gap-5">
      <form onSubmit={submit} className="grid gap-5">
        <EmailField registration={register('email')} />
        <PasswordField registration={register('password')} />
        <Button type="submit" busy={signIn.isPending} className="mt-1 w-full">
          {submitLabel}
        </Button>
      </form>
      <p className="-my-2 text-center">
        <Button variant="link" onClick={() => onForgotten(getValues('email'))}>
          Forgot password?
        </Button>
      </p>
      <ProviderButtons />
    </div>
  );
}
