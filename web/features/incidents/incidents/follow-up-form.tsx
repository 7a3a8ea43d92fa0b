import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { NotSaved } from '#web/components/form/not-saved.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { toLocalInput } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { useOwners, useSaveFollowUp } from './office-api.ts';
import { type FollowUp, followUpSchema } from './office-schema.ts';
import { findName, type IncidentDetails } from './schema.ts';

type FollowUpFormProps = {
  incident: IncidentDetails;
  /** @param version the new `updated_at` */
  onSaved: (version: string) => void;
};

/** Who follows it up, and until when. */
export function FollowUpForm({ incident, onSaved }: FollowUpFormProps) {
  const { user } = useAuth();
  const { data: owners = [] } = useOwners(incident.site_id);
  const { mutateAsync } = useSaveFollowUp();
  const { register, handleSubmit, formState, watch, setValue, setError, reset } = useForm<FollowUp>(
    {
      resolver: zodResolver(followUpSchema),
      values: {
        owner_id: incident.owner_id ?? '',
        due_at: incident.due_at === null ? '' : toLocalInput(incident.due_at),
      },
      // Someone else's change must not remove what was typed.
      resetOptions: { keepDirtyValues: true },
    },
  );
  const { errors, isDirty, isSubmitting: busy } = formState;
  const isKnown = owners.some(({ id }) => id === incident.owner_id);
  const mayTake = owners.some(({ id }) => id === user?.id) && watch('owner_id') !== user?.id;
  const submit = handleSubmit(async (form) => {
    try {
      onSaved(await mutateAsync({ id: incident.id, seen: incident.updated_at, form }));
      reset(form);
      showSuccess('Follow-up saved');
    } catch (error) {
      const message = describeError(error);
      setError('root', { message });
      showError('Error', message);
    }
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-4 sm:grid-cols-2">
      <Field label="Owner" error={errors.owner_id?.message}>
        {(control) => (
          <Select {...control} {...register('owner_id')}>
            <option value="">No owner</option>
            {incident.owner_id && !isKnown && (
              <option value={incident.owner_id}>{findName(incident.owner) ?? 'Former user'}</option>
            )}
            {owners.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Due" optional error={errors.due_at?.message}>
        {(control) => <Input {...control} {...register('due_at')} type="datetime-local" />}
      </Field>
      <NotSaved reason={errors.root?.message} className="sm:col-span-2" />
      <div className="flex flex-wrap justify-end gap-3 sm:col-span-2">
        {mayTake && (
          <Button
            variant="ghost"
            onClick={() => setValue('owner_id', user?.id ?? '', { shouldDirty: true })}
          >
            Take it myself
          </Button>
        )}
        {isDirty && (
          <Button type="submit" busy={busy}>
            {busy ? 'Saving...' : 'Save follow-up'}
          </Button>
        )}
      </div>
    </form>
  );
}
