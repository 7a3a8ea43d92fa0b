import type { UseFormReturn } from 'react-hook-form';
import { LinkedNameField } from '#web/components/form/linked-name-field.tsx';
import { OpenedRecord } from '#web/components/form/record-dialog.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
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

type NewDeploymentDialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Title of the toast. */
  success: string;
};

export function NewDeploymentDialog({ open, onClose, title, success }: NewDeploymentDialogProps) {
  const { mutateAsync: save } = deployments.useSave();
  return (
    <Dialog open={open} onOpenChange={onClose} title={title}>
      <RecordForm
        schema={deploymentSchema}
        defaultValues={emptyForm}
        submitLabel="Create Deployment"
        savingLabel="Creating..."
        failure="Error creating deployment"
        save={(form) => save({ id: undefined, form })}
        onSaved={() => {
          showSuccess(success);
          onClose();
        }}
        onCancel={onClose}
      >
        {(form) => <DeploymentFields form={form} />}
      </RecordForm>
    </Dialog>
  );
}

const EDIT_TITLE = 'Edit Deployment';

type EditDeploymentDialogProps = {
  id: string;
  /** From the list, shown until the query has loaded. */
  known: Deployment | undefined;
  onClose: () => void;
};

export function EditDeploymentDialog({ id, known, onClose }: EditDeploymentDialogProps) {
  const { mutateAsync: save } = deployments.useSave();
  return (
    <OpenedRecord
      query={deployments.useOne(id, known)}
      title={EDIT_TITLE}
      missing="This deployment no longer exists."
      onClose={onClose}
    >
      {(opened, now) => (
        <Dialog open onOpenChange={onClose} title={EDIT_TITLE}>
          <RecordForm
            schema={deploymentSchema}
            defaultValues={formOf(opened)}
            latest={formOf(now)}
            submitLabel="Save Changes"
            save={(form) => save({ id, form })}
            onSaved={() => {
              showSuccess('Deployment updated');
              onClose();
            }}
            onCancel={onClose}
          >
            {(form) => <DeploymentFields form={form} />}
          </RecordForm>
        </Dialog>
      )}
    </OpenedRecord>
  );
}
