import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { company } from '#company';
import { CodeField } from '#web/components/form/credential-fields.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { CopyButton } from '#web/components/ui/copy-button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { deviceName } from '#web/lib/format/device-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { SectionState } from './account-section.tsx';
import { addPasskey, enrolApp, verifyApp } from './api.ts';
import { factorName, freeName } from './factors.ts';

type FormButtonsProps = { submitLabel: string; busy: boolean; onCancel: () => void };

const FormButtons = ({ submitLabel, busy, onCancel }: FormButtonsProps) => (
  <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
    <Button variant="secondary" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" busy={busy}>
      {submitLabel}
    </Button>
  </div>
);

type AddAppDialogProps = { onAdded: () => void; onClose: () => void };

/** Groups of four are easier to type. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

export function AddAppDialog({ onAdded, onClose }: AddAppDialogProps) {
  const { user } = useAuth();
  const id = useId();
  const [name] = useState(() =>
    freeName(
      'Authenticator app',
      (user?.factors ?? []).filter(({ status }) => status === 'verified').map(factorName),
    ),
  );
  // One enrolment each time the dialog opens; no refetch while the user is in the authenticator app.
  const enrolment = useQuery({
    queryKey: ['app-enrolment', id],
    queryFn: () => enrolApp(name, company.shortName),
    refetchInterval: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { save, busy } = useSave({ success: 'Authenticator app added' });
  const { register, handleSubmit } = useForm({ defaultValues: { code: '' } });
  const { data } = enrolment;
  const submit = handleSubmit(async ({ code }) => {
    if (data && (await save(() => verifyApp(data.factorId, code.replaceAll(' ', ''))))) onAdded();
  });

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add authenticator app"
      description="An app on your phone that shows a new code every 30 seconds, for example Google Authenticator."
    >
      {data ? (
        <form onSubmit={submit} className="grid gap-6">
          <div className="grid gap-x-6 gap-y-4 sm:grid-cols-[auto_minmax(0,1fr)]">
            <img
              src={data.qrCode}
              alt="QR code for the authenticator app"
              width={176}
              height={176}
              className="size-44 rounded-sm border border-line bg-white p-1 max-sm:mx-auto"
            />
            <div>
              <p className="text-pretty">
                Scan the QR code with the app. On the same phone or without a camera, enter the key:
              </p>
              <p className="mt-3 font-mono text-[0.9375rem] leading-relaxed break-words">
                {grouped(data.secret)}
              </p>
              <CopyButton text={data.secret} label="Copy key" className="mt-2" />
            </div>
          </div>
          <CodeField
            registration={register('code')}
            label="Code"
            hint="The six digits that the app shows."
          />
          <FormButtons submitLabel="Confirm" busy={busy} onCancel={onClose} />
        </form>
      ) : (
        <SectionState error={enrolment.error} onRetry={() => enrolment.refetch()} />
      )}
    </Dialog>
  );
}

const NAME_MAX = 60;

type AddPasskeyDialogProps = { onAdded: () => void; onClose: () => void };

export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps) {
  const { user } = useAuth();
  const { save, busy } = useSave({ success: 'Passkey added' });
  const { register, handleSubmit } = useForm({
    defaultValues: {
      name: freeName(deviceName(navigator.userAgent), (user?.factors ?? []).map(factorName)),
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
      description="You then confirm your sign-in with your fingerprint, your face, this device's PIN or a security key."
    >
      <form onSubmit={submit} className="grid gap-6">
        <Field label="Name" hint="To tell your passkeys apart.">
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
        <FormButtons submitLabel="Continue" busy={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
