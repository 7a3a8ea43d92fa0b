import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MailQuestion } from 'lucide-react';
import { useForm } from 'react-hook-form';
import * as limits from '#shared/database.limits.ts';
import { formatPhone } from '#shared/phone.ts';
import { PASSWORD_MIN } from '#web/components/form/credential-fields.tsx';
import { EmailField } from '#web/components/form/email-field.tsx';
import { NewPasswordForm } from '#web/components/form/new-password-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { profileQuery } from '#web/lib/session/session-queries.ts';
import { signInName } from '#web/lib/session/sign-in-name.ts';
import { AccountSection } from './account-section.tsx';
import { changeEmail, devicesQuery, resendEmailChange, useChangeName } from './api.ts';

export function NameSection() {
  const { user } = useAuth();
  const { data } = useQuery(profileQuery(user?.id));
  const change = useChangeName();
  const { save, busy } = useSave({ success: 'Name saved' });
  const { register, handleSubmit } = useForm({
    values: { fullName: data?.full_name ?? '' },
    resetOptions: { keepDirtyValues: true },
  });
  const submit = handleSubmit(({ fullName }) => save(() => change.mutateAsync(fullName)));
  return (
    <AccountSection title="Name" text="Your colleagues see this name.">
      <form onSubmit={submit} className="grid gap-5">
        <Field label="Full name">
          {(control) => (
            <Input
              {...control}
              {...register('fullName')}
              required
              // At least one character that is not white space.
              pattern=".*\S.*"
              title="Your name"
              maxLength={limits.PROFILES_FULL_NAME_MAX}
              autoComplete="name"
            />
          )}
        </Field>
        <Button type="submit" variant="secondary" busy={busy} className="w-full sm:w-fit">
          Save name
        </Button>
      </form>
    </AccountSection>
  );
}

function PendingChange({ from, to }: { from: string; to: string }) {
  const { save, busy } = useSave({ success: 'Both emails sent' });
  return (
    <div className="mb-6 flex gap-4 rounded-sm bg-sunken p-4">
      <MailQuestion aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
      <div role="status" className="min-w-0">
        <p className="font-semibold">Waiting for your confirmation</p>
        <p className="mt-1 text-sm text-pretty">
          We emailed a link to <b className="wrap-anywhere">{from}</b> and one to{' '}
          <b className="wrap-anywhere">{to}</b>. Open both, in any order. Until then you sign in
          with the old address.
        </p>
        <Button
          variant="link"
          busy={busy}
          className="-mb-2 -ml-1"
          onClick={() => save(() => resendEmailChange(from))}
        >
          Send both emails again
        </Button>
      </div>
    </div>
  );
}

export function EmailSection() {
  const { user } = useAuth();
  const { save, busy } = useSave({ success: 'Please confirm the change' });
  const { register, handleSubmit, reset } = useForm({ defaultValues: { email: '' } });
  const submit = handleSubmit(async ({ email }) => {
    if (await save(() => changeEmail(email))) reset();
  });
  return (
    <AccountSection
      title="Email"
      text="You sign in with it, and our emails go there. To change it you open two emails, one at your old and one at your new address, so that nobody else can take over your account."
    >
      <p className="mb-5">
        <SecondLine wraps>Your address</SecondLine>
        <b className="wrap-anywhere">{user?.email || 'None yet'}</b>
        {user?.phone && (
          <SecondLine wraps className="mt-1">
            You also sign in with your phone number, {formatPhone(`+${user.phone}`)}.
          </SecondLine>
        )}
      </p>
      {user?.new_email && <PendingChange from={user.email ?? ''} to={user.new_email} />}
      <form onSubmit={submit} className="grid gap-5">
        <EmailField registration={register('email')} label="New email" autoComplete="email" />
        <Button type="submit" variant="secondary" busy={busy} className="w-full sm:w-fit">
          Change email
        </Button>
      </form>
    </AccountSection>
  );
}

export function PasswordSection() {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  function onSaved() {
    showSuccess('Password changed', 'Your other devices have been signed out.');
    void queryClient.invalidateQueries({ queryKey: devicesQuery().queryKey });
  }
  return (
    <AccountSection
      title="Password"
      text="Four unrelated words are easy to remember and hard to guess. A new password signs out your other devices."
    >
      <NewPasswordForm
        email={signInName(user)}
        minLength={PASSWORD_MIN}
        submitLabel="Change password"
        submitVariant="secondary"
        onSaved={onSaved}
      />
    </AccountSection>
  );
}
