// Changes a deployment.
import { OpenedRecord } from '#web/components/records/opened-record.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useDeployment } from '../api/get-deployment.ts';
import { useUpdateDeployment } from '../api/update-deployment.ts';
import { type Deployment, formOf } from '../schema.ts';
import { DeploymentForm } from './deployment-form.tsx';

const TITLE = 'Edit Deployment';

type EditDeploymentDialogProps = {
  id: string;
  /** As the list shows it. */
  known: Deployment | undefined;
  onClose: () => void;
};

export function EditDeploymentDialog({ id, known, onClose }: EditDeploymentDialogProps) {
  const update = useUpdateDeployment();
  return (
    <OpenedRecord
      query={useDeployment(id, known)}
      title={TITLE}
      missing="This deployment no longer exists."
      onClose={onClose}
    >
      {(opened, now) => (
        <Dialog open onOpenChange={onClose} title={TITLE}>
          <DeploymentForm
            defaultValues={formOf(opened)}
            latest={formOf(now)}
            submitLabel="Save Changes"
            save={(form) => update.mutateAsync({ id, form })}
            onSaved={() => {
              showSuccess('Deployment updated');
              onClose();
            }}
            onCancel={onClose}
          />
        </Dialog>
      )}
    </OpenedRecord>
  );
}
