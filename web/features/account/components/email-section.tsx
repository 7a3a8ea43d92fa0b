// The e-mail address, and the way to another one: two links, one in a mail to each address.
import { MailQuestion } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { EmailField } from '#web/components/form/email-field.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { changeEmail, resendEmailChange } from '../api/change-email.ts';
import { AccountSection } from './account-section.tsx';

function Pending({ from, to }: { from: string; to: string }) {
  const { save, busy } = useSave({ success: 'Both mails are on their way' });
  return (
    <div className="mb-6 flex gap-4 rounded-sm bg-sunken p-4">
      <MailQuestion aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
      <div role="status" className="min-w-0">
        <p className="font-semibold">Waiting for your confirmation</p>
        <p className="mt-1 text-sm text-pretty">
          We mailed a link to <b className="wrap-anywhere">{from}</b> and one to{' '}
          <b className="wrap-anywhere">{to}</b>. Open both, in any order. Until then you sign in
          with the old address.
        </p>
        <Button
          variant="link"
          busy={busy}
          className="-mb-2 -ml-1"
          onClick={() => save(() => resendEmailChange(from))}
        >
          Send both mails again
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
      text="You sign in with it, and our mails go there. A change has to be confirmed from the old and from the new address, so that nobody else can take your account."
    >
      <p className="mb-5">
        <span className="block text-sm text-muted">Your address</span>
        <b className="wrap-anywhere">{user?.email}</b>
      </p>
      {user?.new_email && <Pending from={user.email ?? ''} to={user.new_email} />}
      <form onSubmit={submit} className="grid gap-5">
        <EmailField registration={register('email')} label="New email" autoComplete="email" />
        <Button type="submit" variant="secondary" busy={busy} className="w-full sm:w-fit">
          Change email
        </Button>
      </form>
    </AccountSection>
  );
}
