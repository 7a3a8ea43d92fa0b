// E-mail address and password. What is missing or malformed the browser itself points out.
import { useForm } from 'react-hook-form';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { PasswordInput } from '#web/components/ui/password-input.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
import { type Credentials, useSignIn } from '../api/sign-in.ts';

type SignInFormProps = {
  submitLabel: string;
  defaultEmail: string;
  /** Title and, if any, text of the toast. */
  success: readonly [string, string?];
  failure: string;
};

export function SignInForm({ submitLabel, defaultEmail, success, failure }: SignInFormProps) {
  const signIn = useSignIn();
  const { register, handleSubmit } = useForm<Credentials>({
    defaultValues: { email: defaultEmail, password: '' },
  });
  const submit = handleSubmit((credentials) =>
    signIn
      .mutateAsync(credentials)
      .then(() => showSuccess(...success))
      .catch((error: unknown) => showError(failure, messageOf(error))),
  );
  return (
    <form onSubmit={submit} className="grid gap-5">
      <Field label="Email">
        {(control) => (
          <Input
            {...control}
            {...register('email')}
            type="email"
            required
            autoComplete="username"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Password">
        {(control) => (
          <PasswordInput
            {...control}
            {...register('password')}
            required
            autoComplete="current-password"
          />
        )}
      </Field>
      <Button type="submit" busy={signIn.isPending} className="mt-1 w-full">
        {submitLabel}
      </Button>
    </form>
  );
}
