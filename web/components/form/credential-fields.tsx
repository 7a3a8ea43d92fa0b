import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { Input, PasswordInput } from '#web/components/ui/input.tsx';

/** For passwords that users choose themselves. */
export const PASSWORD_MIN = 6;

type PasswordFieldProps = {
  registration: UseFormRegisterReturn | { name: string; defaultValue?: string };
  label?: string;
  /** For a new password. */
  minLength?: number;
  error?: string | undefined;
  hasFocus?: boolean | undefined;
};

export function PasswordField(props: PasswordFieldProps) {
  const { registration, label = 'Password', minLength, error, hasFocus } = props;
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
          autoFocus={hasFocus}
          minLength={minLength}
          autoComplete={minLength ? 'new-password' : 'current-password'}
        />
      )}
    </Field>
  );
}

type CodeFieldProps = {
  registration: UseFormRegisterReturn;
  label: string;
  hint?: string;
};

export function CodeField({ registration, label, hint }: CodeFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Input
          {...control}
          {...registration}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9 ]{6,12}"
          title="The digits of the code"
          maxLength={12}
          className="text-lg tracking-[0.3em] tabular-nums"
        />
      )}
    </Field>
  );
}
