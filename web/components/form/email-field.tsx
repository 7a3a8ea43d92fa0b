import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';

type EmailFieldProps = {
  registration: UseFormRegisterReturn | { name: string; defaultValue?: string };
  label?: string;
  hint?: string;
  /** Also for a phone number, which the browser would reject as an address. */
  takesPhone?: boolean;
  error?: string | undefined;
  /** `username` on sign-in forms, for password managers. */
  autoComplete?: 'username' | 'email';
};

/** Validated by the browser. */
export function EmailField({
  registration,
  label = 'Email',
  takesPhone = false,
  autoComplete = 'username',
  ...rest
}: EmailFieldProps) {
  return (
    <Field label={label} {...rest}>
      {(control) => (
        <Input
          {...control}
          {...registration}
          type={takesPhone ? 'text' : 'email'}
          inputMode="email"
          autoCapitalize="none"
          required
          autoComplete={autoComplete}
          spellCheck={false}
        />
      )}
    </Field>
  );
}
