import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import { Options } from '#web/components/form/inputs.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { EmptyNote } from '#web/components/ui/loaded.tsx';
import { Picker } from '#web/components/ui/picker.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { useMatchingSites } from '#web/lib/data/lookups.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { ROLE_HINTS, ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { useAddRole, useRemoveRole, useUser } from './api.ts';
import { type HeldRole, heldRoleLabel, type RoleForm, roleSchema, type User } from './schema.ts';

const EMPTY: RoleForm = { role: '', site: undefined };

function AddRoleForm({ userId }: { userId: string }) {
  const { mutateAsync } = useAddRole();
  const { register, control, handleSubmit, reset, formState } = useForm<RoleForm>({
    resolver: zodResolver(roleSchema),
    defaultValues: EMPTY,
  });
  const role = useWatch({ control, name: 'role' });
  const submit = handleSubmit(async ({ role: chosen, site }) => {
    if (chosen === '') return;
    const site_id = chosen === 'supervisor' ? (site?.id ?? null) : null;
    await mutateAsync({ user_id: userId, role: chosen, site_id })
      .then(() => {
        reset(EMPTY);
        showSuccess('Role Added');
      })
      .catch((error: unknown) => showError('Error', describeError(error)));
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <Field
        label="Role"
        error={formState.errors.role?.message}
        hint={role === '' ? undefined : ROLE_HINTS[role]}
      >
        {(field) => (
          <Select {...field} {...register('role')}>
            <option value="">Choose a role</option>
            <Options values={USER_ROLES_ROLE} labels={ROLE_LABELS} />
          </Select>
        )}
      </Field>
      {role === 'supervisor' && (
        <Controller
          control={control}
          name="site"
          render={({ field }) => (
            <Field label="Site" optional hint="Leave empty for all sites.">
              {({ id, 'aria-describedby': describedBy }) => (
                <Picker
                  id={id}
                  aria-describedby={describedBy}
                  searchLabel="Search sites"
                  placeholder="All sites"
                  value={field.value}
                  onChange={field.onChange}
                  useChoices={useMatchingSites}
                />
              )}
            </Field>
          )}
        />
      )}
      <div className="flex flex-col sm:flex-row sm:justify-end">
        <Button type="submit" busy={formState.isSubmitting}>
          {formState.isSubmitting ? 'Adding...' : 'Add Role'}
        </Button>
      </div>
    </form>
  );
}

function Roles({ user, isOwn }: { user: User; isOwn: boolean }) {
  const { mutateAsync, isPending, variables } = useRemoveRole();
  const [confirming, setConfirming] = useState<HeldRole>();
  const removalOf = ({ role, site_id }: HeldRole) => ({ user_id: user.id, role, site_id });
  const isRemoving = ({ role, site_id }: HeldRole) =>
    isPending && variables.role === role && variables.site_id === site_id;

  function remove(held: HeldRole) {
    // An admin who removes their own admin role can't add it again.
    if (isOwn && held.role === 'admin') {
      setConfirming(held);
      return;
    }
    mutateAsync(removalOf(held))
      .then(() => showSuccess('Role Removed'))
      .catch((error: unknown) => showError('Error', describeError(error)));
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
                <SecondLine wraps>{ROLE_HINTS[held.role]}</SecondLine>
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
        <Alert title="You can't add roles to your own account">Ask another admin.</Alert>
      ) : (
        <AddRoleForm userId={user.id} />
      )}
      {confirming && (
        <ConfirmDialog
          title="Remove Your Admin Role"
          question="Are you sure you want to remove your own admin role?"
          confirmLabel="Remove"
          busyLabel="Removing..."
          success="Role Removed"
          onConfirm={() => mutateAsync(removalOf(confirming))}
          onClose={() => setConfirming(undefined)}
        >
          You lose access to this screen immediately. Only another admin can add the role again.
        </ConfirmDialog>
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
        user
          ? [formatName(user), user.full_name && user.email].filter(Boolean).join(', ')
          : undefined
      }
      missing="This account does not exist."
      onClose={onClose}
    >
      {(data) => <Roles user={data} isOwn={isOwn} />}
    </DetailDialog>
  );
}
