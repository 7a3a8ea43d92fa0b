import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button, type ButtonStyle } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError, readErrorCode } from '#web/lib/errors/error-message.ts';
import { mailPasswordCode, type NewPassword, setPassword } from '#web/lib/session/set-password.ts';
import { CodeField, PasswordField } from './credential-fields.tsx';

type NewPasswordFormProps = {
  /** For password managers. */
  email: string;
  minLength: number;
  submitLabel: string;
  submitVariant?: ButtonStyle['variant'];
  /** Where the form takes the place of the one that had the focus. */
  hasFocus?: boolean;
  onSaved: () => void | Promise<void>;
};

/** Errors of the password itself are shown at the field, all others as a toast. */
const REFUSED = new Set(['weak_password', 'same_password']);

const EMPTY: NewPassword = { password: '', nonce: '', currentPassword: '' };

/** Asks for a mailed code or the current password only when the server requires it. */
export function NewPasswordForm(props: NewPasswordFormProps) {
  const { email, minLength, submitLabel, submitVariant, hasFocus, onSaved } = props;
  const [asksCode, setAsksCode] = useState(false);
  const [asksCurrent, setAsksCurrent] = useState(false);
  const { register, handleSubmit, reset, setError, formState } = useForm<NewPassword>({
    defaultValues: EMPTY,
  });

  async function save(form: NewPassword) {
    try {
      await setPassword(form);
      reset(EMPTY);
      setAsksCode(false);
      setAsksCurrent(false);
      await onSaved();
    } catch (error) {
      const code = readErrorCode(error);
      if (code === 'reauthentication_needed') {
        await mailPasswordCode();
        setAsksCode(true);
      } else if (code === 'current_password_required' && !asksCurrent) {
        setAsksCurrent(true);
      } else if (code !== undefined && REFUSED.has(code)) {
        setError('password', { message: describeError(error) }, { shouldFocus: true });
      } else {
        throw error;
      }
    }
  }
  const submit = handleSubmit((form) =>
    save(form).catch((error: unknown) => showError('Error', describeError(error))),
  );

  return (
    <form onSubmit={submit} className="grid gap-5">
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      {asksCurrent && (
        <PasswordField registration={register('currentPassword')} label="Current password" />
      )}
      <PasswordField
        registration={register('password')}
        label="New password"
        minLength={minLength}
        hasFocus={hasFocus}
        error={formState.errors.password?.message}
      />
      {asksCode && (
        <>
          <p role="status">
            To confirm that it's you, we have mailed a code to{' '}
            <span className="font-semibold wrap-anywhere">{email}</span>.
          </p>
          <CodeField registration={register('nonce')} label="Code from the mail" />
        </>
      )}
      <Button
        type="submit"
        variant={submitVariant}
        busy={formState.isSubmitting}
        className={submitVariant ? 'w-full sm:w-fit' : 'w-full'}
      >
        {submitLabel}
      </Button>
    </form>
  );
}
