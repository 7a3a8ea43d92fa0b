import type { UseFormReturn } from 'react-hook-form';
import { DEPLOYMENTS_STATUS } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { LinkedNameField } from '#web/components/form/linked-name-field.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { useClientNames, useGuardNames } from '#web/lib/data/lookups.ts';
import { recordHooks } from '#web/lib/data/records.ts';
import { zoneName } from '#web/lib/format/dates.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { DEPLOYMENTS } from './api.ts';
import { type Deployment, type DeploymentForm, deploymentSchema, toForm } from './schema.ts';

const deployments = recordHooks({ ...DEPLOYMENTS, schema: deploymentSchema, toForm });

const STATUSES = toOptions(DEPLOYMENTS_STATUS, STATUS_LABELS);
const TIME = { type: 'datetime-local', hint: `${zoneName} time` };

function DeploymentFields({ form }: { form: UseFormReturn<DeploymentForm> }) {
  const field = createFields(form);
  return (
    <FieldGrid>
      <LinkedNameField
        control={form.control}
        label="Guard Name"
        name="guard_name"
        idName="guard_id"
        linked="Linked to the guard’s account."
        suggestions="Guards"
        useChoices={useGuardNames}
      />
      {field.text('location', 'Location')}
      <LinkedNameField
        control={form.control}
        label="Client Name"
        optional
        name="client_name"
        idName="client_id"
        linked="Linked to the client’s record."
        suggestions="Clients"
        useChoices={useClientNames}
      />
      {field.select('status', 'Status', STATUSES)}
      {field.day('shift_start', 'Shift Start', TIME)}
      {field.day('shift_end', 'Shift End', TIME)}
      {field.notes('notes', 'Notes')}
    </FieldGrid>
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
  onAdded?: (id: string) => void;
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
      updated="Deployment updated"
      failedToAdd="Error creating deployment"
    >
      {(form) => <DeploymentFields form={form} />}
    </RecordDialog>
  );
}
