// Adds a passkey under a name; the browser then asks for the finger, the face or the security key.
import { useForm } from 'react-hook-form';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { deviceName } from '#web/lib/format/device-name.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { addPasskey } from '../../api/factors.ts';
import { freeName, nameOf } from '../../factor-words.ts';

const NAME_MAX = 60;

type AddPasskeyDialogProps = { onAdded: () => void; onClose: () => void };

export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const { user } = useAuth();
  const { save, busy } = useSave({ success: 'Passkey added' });
  const { register, handleSubmit } = useForm({
    defaultValues: {
      name: freeName(deviceName(navigator.userAgent), (user?.factors ?? []).map(nameOf)),
    },
  });
  const submit = handleSubmit(async ({ name }) => {
    if (await save(() => addPasskey(name.trim()))) onAdded();
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add passkey"
      description="Your fingerprint, your face, your device's PIN, or a security key."
    >
      <form onSubmit={submit} className="grid gap-6">
        <Field label="Name" hint="To tell it from your other passkeys.">
          {(control) => (
            <Input
              {...control}
              {...register('name')}
              required
              pattern=".*\S.*"
              title="A name"
              maxLength={NAME_MAX}
              autoComplete="off"
            />
          )}
        </Field>
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy}>
            Continue
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
