// A password: the one to sign in with, or a new one with its shortest length.
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { PasswordInput } from '#web/components/ui/input.tsx';

/** Of a password that people choose for themselves (SPECIFICATION.md section 9). */
export const PASSWORD_MIN = 6;

type PasswordFieldProps = {
  registration: UseFormRegisterReturn | { name: string; defaultValue?: string };
  label?: string;
  /** Given for a new password: the fewest characters it may have. */
  minLength?: number;
  /** Why it was refused. */
  error?: string | undefined;
};

export function PasswordField(props: PasswordFieldProps) {
  const { registration, label = 'Password', minLength, error } = props;
  return (
    <Field
      label={label}
      error={error}
      hint={minLength ? `At least ${minLength} characters.` : undefined}
    >
      {(control) => (
        <PasswordInput
          {...control}
          {...registration}
          required
          minLength={minLength}
          autoComplete={minLength ? 'new-password' : 'current-password'}
        />
      )}
    </Field>
  );
}
