import { type FormEvent, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { useSave } from './use-save.ts';

type PinFormProps = { onSave: (pin: string) => Promise<unknown>; onSaved?: () => void };

/** Sets a PIN of 4 to 6 digits. What is typed is never shown again. */
export function PinForm({ onSave, onSaved }: PinFormProps) {
  const [pin, setPin] = useState('');
  const { save, busy } = useSave({ success: 'PIN saved' });
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!(await save(() => onSave(pin)))) return;
    setPin('');
    onSaved?.();
  }
  return (
    <form onSubmit={submit} autoComplete="off" className="grid gap-5">
      <Field label="New PIN" hint="4 to 6 digits, not the same one and not in a row.">
        {(control) => (
          <Input
            {...control}
            type="password"
            inputMode="numeric"
            pattern="[0-9]{4,6}"
            title="4 to 6 digits"
            required
            maxLength={6}
            autoComplete="new-password"
            value={pin}
            onChange={(event) => setPin(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="secondary" busy={busy} className="w-full sm:w-fit">
        Save PIN
      </Button>
    </form>
  );
}
