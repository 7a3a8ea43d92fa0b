import { useForm } from 'react-hook-form';
import { PASSWORD_MIN, PasswordField } from '#web/components/form/credential-fields.tsx';
import { EmailField } from '#web/components/form/email-field.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { type NewAccount, useSignUp } from './account-api.ts';

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
  const submit = handleSubmit((account) =>
    signUp
      .mutateAsync(account)
      .then(() => {
        showSuccess(success);
        onCreated(account.email.trim());
      })
      .catch((error: unknown) => showError(failure, messageOf(error))),
  );
  return (
    <form onSubmit={submit} className="grid gap-5">
      <Field label="Full Name">
        {(control) => <Input {...control} {...register('fullName')} required autoComplete="name" />}
      </Field>
      <EmailField registration={register('email')} />
      <PasswordField registration={register('password')} minLength={PASSWORD_MIN} />
      <Button type="submit" busy={signUp.isPending} className="mt-1 w-full">
        Sign Up
      </Button>
    </form>
  );
}
