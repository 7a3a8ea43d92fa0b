// Gives a role; a supervisor's may be scoped to one site.
import { zodResolver } from '@hookform/resolvers/zod';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { ROLES } from '#shared/permissions.ts';
import { Options } from '#web/components/records/options.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Picker } from '#web/components/ui/picker.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { useAddRole } from '../api/add-role.ts';
import { useSites } from '../api/find-sites.ts';
import { ROLE_HINTS, ROLE_LABELS } from '../labels.ts';
import { type RoleForm, roleSchema } from '../schema.ts';

const EMPTY: RoleForm = { role: '', site: undefined };

export function AddRoleForm({ userId }: { userId: string }) {
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
      .catch((error: unknown) => showError('Error', messageOf(error)));
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
            <Options values={ROLES} labels={ROLE_LABELS} />
          </Select>
        )}
      </Field>
      {role === 'supervisor' && (
        <Controller
          control={control}
          name="site"
          render={({ field }) => (
            <Field label="Site" optional hint="Without one, the role covers all sites.">
              {({ id, 'aria-describedby': describedBy }) => (
                <Picker
                  id={id}
                  aria-describedby={describedBy}
                  searchLabel="Search sites"
                  placeholder="All sites"
                  value={field.value}
                  onChange={field.onChange}
                  useChoices={useSites}
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
