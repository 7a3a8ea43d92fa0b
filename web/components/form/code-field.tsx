// Six digits from an app, a mail or a message. Phones offer the code of a message by themselves.
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';

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
