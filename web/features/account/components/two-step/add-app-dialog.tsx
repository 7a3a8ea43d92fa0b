// Adds an authenticator app: the picture or the key goes into the app, a code of the app comes back.
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { company } from '#company';
import { CodeField } from '#web/components/form/code-field.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { CopyButton } from '#web/components/ui/copy-button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { beginApp, confirmApp } from '../../api/factors.ts';
import { freeName, nameOf } from '../../factor-words.ts';
import { SectionState } from '../section-state.tsx';

type AddAppDialogProps = { onAdded: () => void; onClose: () => void };

/** In groups of four, to be typed off a screen. */
const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret;

export function AddAppDialog({ onAdded, onClose }: AddAppDialogProps) {
  const { user } = useAuth();
  const id = useId();
  const [name] = useState(() =>
    freeName(
      'Authenticator app',
      (user?.factors ?? []).filter(({ status }) => status === 'verified').map(nameOf),
    ),
  );
  // Begun once for each time the dialog opens, and never again while somebody is away in the app.
  const enrolment = useQuery({
    queryKey: ['app-enrolment', id],
    queryFn: () => beginApp(name, company.shortName),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { save, busy } = useSave({ success: 'Authenticator app added' });
  const { register, handleSubmit } = useForm({ defaultValues: { code: '' } });
  const { data } = enrolment;
  const submit = handleSubmit(async ({ code }) => {
    if (data && (await save(() => confirmApp(data.factorId, code.replaceAll(' ', ''))))) onAdded();
  });

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add authenticator app"
      description="Any app for time-based codes will do."
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
                Scan the picture with the app. On this phone itself, or without a camera, enter the
                key:
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
            hint="The six digits that the app shows now."
          />
          <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <Button variant="secondary" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" busy={busy}>
              Confirm
            </Button>
          </div>
        </form>
      ) : (
        <SectionState
          error={enrolment.error}
          isFetching={enrolment.isFetching}
          onRetry={() => enrolment.refetch()}
        />
      )}
    </Dialog>
  );
}
