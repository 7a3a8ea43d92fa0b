// The e-mail address of an account. What is missing or malformed the browser itself points out.
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';

type EmailFieldProps = {
  registration: UseFormRegisterReturn | { name: string; defaultValue?: string };
  label?: string;
  hint?: string;
  /** `username` where it signs in, so that password managers know it. */
  autoComplete?: 'username' | 'email';
};

export function EmailField({
  registration,
  label = 'Email',
  autoComplete = 'username',
  ...rest
}: EmailFieldProps) {
  return (
    <Field label={label} {...rest}>
      {(control) => (
        <Input
          {...control}
          {...registration}
          type="email"
          required
          autoComplete={autoComplete}
          spellCheck={false}
        />
      )}
    </Field>
  );
}
