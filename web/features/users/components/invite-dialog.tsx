// Invites somebody: an account with a temporary password, and a mail that says so.
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { PasswordInput } from '#web/components/ui/password-input.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useInviteUser } from '../api/invite-user.ts';
import { type Invitation, invitationSchema } from '../schema.ts';

const EMPTY: Invitation = { full_name: '', email: '', password: '' };

type InviteDialogProps = {
  /** Called with the new account's id when its roles are to be given next. */
  onRoles: (id: string) => void;
  onClose: () => void;
};

export function InviteDialog({ onRoles, onClose }: InviteDialogProps) {
  const { mutateAsync } = useInviteUser();

  async function invite(invitation: Invitation) {
    const id = await mutateAsync(invitation);
    const action = { label: 'Give Roles', onPress: () => onRoles(id) };
    showSuccess('User Invited', `Invitation sent to ${invitation.email}`, action);
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Invite User"
      description="They get a mail with a link to the portal."
    >
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
              hint="At least 8 characters. The mail does not contain it: tell the person yourself. The user will be prompted to change the password on first login."
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
