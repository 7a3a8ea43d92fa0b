// Manage Roles: the roles that somebody holds, and the form that gives another.
import { useState } from 'react';
import { ConfirmDialog } from '#web/components/records/confirm-dialog.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { EmptyNote } from '#web/components/ui/empty-note.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { nameOf } from '#web/lib/data/people.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { useUser } from '../api/get-user.ts';
import { useRemoveRole } from '../api/remove-role.ts';
import { heldRoleLabel, ROLE_HINTS } from '../labels.ts';
import type { HeldRole, User } from '../schema.ts';
import { AddRoleForm } from './add-role-form.tsx';

function Roles({ user, isOwn }: { user: User; isOwn: boolean }) {
  const { mutateAsync, isPending, variables } = useRemoveRole();
  const [asked, setAsked] = useState<HeldRole>();
  const removalOf = ({ role, site_id }: HeldRole) => ({ user_id: user.id, role, site_id });
  const isRemoving = ({ role, site_id }: HeldRole) =>
    isPending && variables.role === role && variables.site_id === site_id;

  function remove(held: HeldRole) {
    // Whoever gives up their own admin role can't take it back.
    if (isOwn && held.role === 'admin') {
      setAsked(held);
      return;
    }
    mutateAsync(removalOf(held))
      .then(() => showSuccess('Role Removed'))
      .catch((error: unknown) => showError('Error', messageOf(error)));
  }
  return (
    <div className="grid gap-7">
      {user.user_roles.length === 0 ? (
        <EmptyNote>No roles yet.</EmptyNote>
      ) : (
        <ul aria-label="Roles" className="divide-y divide-line border-y border-line">
          {user.user_roles.map((held) => (
            <li key={held.id} className="flex items-center justify-between gap-4 py-2">
              <span className="min-w-0">
                <span className="block font-semibold">{heldRoleLabel(held)}</span>
                <span className="block text-sm text-muted">{ROLE_HINTS[held.role]}</span>
              </span>
              <Button
                variant="danger-ghost"
                className="px-3"
                busy={isRemoving(held)}
                aria-label={`Remove ${heldRoleLabel(held)}`}
                onClick={() => remove(held)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isOwn ? (
        <Alert title="Nobody gives roles to themselves">Another admin can give you one.</Alert>
      ) : (
        <AddRoleForm userId={user.id} />
      )}
      {asked && (
        <ConfirmDialog
          title="Remove Your Admin Role"
          question="Are you sure you want to give up your own admin role?"
          consequence="You lose access to this screen at once, and only another admin can give the role back."
          confirmLabel="Remove"
          busyLabel="Removing..."
          confirm={() => mutateAsync(removalOf(asked))}
          onDone={() => {
            setAsked(undefined);
            showSuccess('Role Removed');
          }}
          onCancel={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

type RolesDialogProps = { id: string; isOwn: boolean; onClose: () => void };

export function RolesDialog({ id, isOwn, onClose }: RolesDialogProps) {
  const query = useUser(id);
  const { data: user } = query;
  return (
    <DetailDialog
      query={query}
      title="Manage Roles"
      description={
        user ? [nameOf(user), user.full_name && user.email].filter(Boolean).join(', ') : undefined
      }
      missing="This account does not exist."
      onClose={onClose}
    >
      {(data) => <Roles user={data} isOwn={isOwn} />}
    </DetailDialog>
  );
}
