import type { UseFormReturn } from 'react-hook-form';
import { LinkedNameField } from '#web/components/form/linked-name-field.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { useClientNames, useGuardNames } from '#web/lib/data/lookups.ts';
import { zoneName } from '#web/lib/format/dates.ts';
import { DEPLOYMENT_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { deployments } from './api.ts';
import {
  type Deployment,
  type DeploymentForm,
  deploymentSchema,
  emptyForm,
  formOf,
} from './schema.ts';

function DeploymentFields({ form }: { form: UseFormReturn<DeploymentForm> }) {
  const { register, formState } = form;
  const { errors } = formState;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <LinkedNameField
        control={form.control}
        label="Guard Name"
        name="guard_name"
        isLinked={form.watch('guard_id') !== null}
        onLink={(id) => form.setValue('guard_id', id, { shouldDirty: true })}
        linked="Linked to the guard’s account."
        suggestions="Guards"
        useChoices={useGuardNames}
      />
      <Field label="Location" error={errors.location?.message}>
        {(control) => <Input {...control} {...register('location')} autoComplete="off" />}
      </Field>
      <LinkedNameField
        control={form.control}
        label="Client Name"
        optional
        name="client_name"
        isLinked={form.watch('client_id') !== null}
        onLink={(id) => form.setValue('client_id', id, { shouldDirty: true })}
        linked="Linked to the client’s record."
        suggestions="Clients"
        useChoices={useClientNames}
      />
      <Field label="Status" error={errors.status?.message}>
        {(control) => (
          <Select {...control} {...register('status')}>
            {DEPLOYMENT_STATUSES.map((status) => (
              <option key={status} value={status}>
                {STATUS_LABELS[status]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Shift Start" hint={`${zoneName} time`} error={errors.shift_start?.message}>
        {(control) => <Input {...control} {...register('shift_start')} type="datetime-local" />}
      </Field>
      <Field label="Shift End" hint={`${zoneName} time`} error={errors.shift_end?.message}>
        {(control) => <Input {...control} {...register('shift_end')} type="datetime-local" />}
      </Field>
      <Field label="Notes" optional error={errors.notes?.message} className="sm:col-span-2">
        {(control) => <Textarea {...control} {...register('notes')} rows={3} />}
      </Field>
    </div>
  );
}

type DeploymentRecordDialogProps = {
  /** Id of the deployment to edit, or "new". */
  open: string;
  /** Rows that the list has already loaded. */
  listed: Deployment[] | undefined;
  addTitle: string;
  /** Title of the toast. */
  added: string;
  onClose: () => void;
};

export function DeploymentRecordDialog(props: DeploymentRecordDialogProps) {
  return (
    <RecordDialog
      {...props}
      records={deployments}
      addLabel="Create Deployment"
      addingLabel="Creating..."
      editTitle="Edit Deployment"
      schema={deploymentSchema}
      emptyForm={emptyForm}
      toForm={formOf}
      updated="Deployment updated"
      failedToAdd="Error creating deployment"
    >
      {(form) => <DeploymentFields form={form} />}
    </RecordDialog>
  );
}
