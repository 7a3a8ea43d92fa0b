import { useForm } from 'react-hook-form';
import { PASSWORD_MIN, PasswordField } from '#web/components/form/credential-fields.tsx';
import { EmailField } from '#web/components/form/email-field.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError, readErrorCode } from '#web/lib/errors/error-message.ts';
import { type NewAccount, useSignUp } from './account-api.ts';

/** Codes of the auth service that are about one field. */
const FIELDS_OF_ERRORS = new Map<string, 'email' | 'password'>([
  ['user_already_exists', 'email'],
  ['email_exists', 'email'],
  ['email_address_invalid', 'email'],
  ['weak_password', 'password'],
]);

type SignUpFormProps = {
  /** Title of the toast. */
  success: string;
  failure: string;
  /** Called with the new account's email. */
  onCreated: (email: string) => void;
};

export function SignUpForm({ success, failure, onCreated }: SignUpFormProps) {
  const signUp = useSignUp();
  const { register, handleSubmit } = useForm<NewAccount>({
    defaultValues: { fullName: '', email: '', password: '' },
  });
  const field = FIELDS_OF_ERRORS.get(readErrorCode(signUp.error) ?? '');
  const submit = handleSubmit((account) =>
    signUp
      .mutateAsync(account)
      .then(() => {
        showSuccess(success);
        onCreated(account.email.trim());
      })
      .catch((error: unknown) => showError(failure, describeError(error))),
  );
  return (
    <form onSubmit={submit} onInput={() => signUp.isError && signUp.reset()} className="grid gap-5">
      <Field label="Full Name">
        {(control) => <Input {...control} {...register('fullName')} required autoComplete="name" />}
      </Field>
      <EmailField
        registration={register('email')}
        error={field === 'email' ? describeError(signUp.error) : undefined}
      />
      <PasswordField
        registration={register('password')}
        minLength={PASSWORD_MIN}
        error={field === 'password' ? describeError(signUp.error) : undefined}
      />
      <Button type="submit" busy={signUp.isPending} className="mt-1 w-full">
        Sign Up
      </Button>
    </form>
  );
}
