import { Link } from '@tanstack/react-router';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, PasswordInput } from '#web/components/ui/input.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useInviteUser, useSetAccountDisabled, useSignOutEverywhere } from './api.ts';
import { type Invitation, invitationSchema, type User } from './schema.ts';

const EMPTY: Invitation = { full_name: '', email: '', password: '' };

type InviteDialogProps = {
  /** Opens the roles of the new account. */
  onRoles: (id: string) => void;
  onClose: () => void;
};

export function InviteDialog({ onRoles, onClose }: InviteDialogProps) {
  const { mutateAsync } = useInviteUser();

  async function invite(invitation: Invitation) {
    const id = await mutateAsync(invitation);
    const action = { label: 'Add Roles', onPress: () => onRoles(id) };
    showSuccess('User Invited', `Invitation sent to ${invitation.email}`, action);
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Invite User"
      description="They get an email with a link to the portal."
    >
      <p className="mb-5 text-sm text-muted">
        No email address?{' '}
        <Link to="/admin/people/new" className={buttonStyles({ variant: 'link' })}>
          Hire with a phone number and a start code
        </Link>
      </p>
      <RecordForm
        schema={invitationSchema}
        defaultValues={EMPTY}
        submitLabel="Send Invitation"
        savingLabel="Sending..."
        save={invite}
        onSaved={onClose}
        onCancel={onClose}
      >
        {({ register, formState: { errors } }) => (
          <div className="grid gap-5">
            <Field label="Full Name" error={errors.full_name?.message}>
              {(control) => <Input {...control} {...register('full_name')} autoComplete="off" />}
            </Field>
            <Field label="Email" error={errors.email?.message}>
              {(control) => (
                <Input
                  {...control}
                  {...register('email')}
                  type="email"
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
            <Field
              label="Temporary Password"
              hint="At least 8 characters. The email does not contain it, so pass it on yourself. The user will be prompted to change the password on first login."
              error={errors.password?.message}
            >
              {(control) => (
                <PasswordInput {...control} {...register('password')} autoComplete="new-password" />
              )}
            </Field>
          </div>
        )}
      </RecordForm>
    </Dialog>
  );
}

export type AccountQuestion = { about: 'disable' | 'sign-out'; user: User };

const TEXTS = {
  disable: {
    title: 'Disable Account',
    question: (name: string) => `Are you sure you want to disable the account of ${name}?`,
    consequence:
      'They are signed out on every device immediately and can’t sign in until you enable the account again. Their roles and records are not changed.',
    confirmLabel: 'Disable',
    busyLabel: 'Disabling...',
    success: 'Account disabled',
  },
  'sign-out': {
    title: 'Sign Out Everywhere',
    question: (name: string) => `Are you sure you want to sign ${name} out on every device?`,
    consequence: 'Every phone and computer asks for the password again.',
    confirmLabel: 'Sign Out',
    busyLabel: 'Signing out...',
    success: 'Signed out everywhere',
  },
} as const;

export function AccountDialog({ about, user, onClose }: AccountQuestion & { onClose: () => void }) {
  const disable = useSetAccountDisabled();
  const signOut = useSignOutEverywhere();
  const { question, consequence, ...texts } = TEXTS[about];
  return (
    <ConfirmDialog
      {...texts}
      question={question(formatName(user))}
      onConfirm={() =>
        about === 'disable'
          ? disable.mutateAsync({ user_id: user.id, disabled: true })
          : signOut.mutateAsync(user.id)
      }
      onClose={onClose}
    >
      {consequence}
    </ConfirmDialog>
  );
}
