// Changes a deployment.
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useUpdateDeployment } from '../api/update-deployment.ts';
import { type Deployment, formOf } from '../schema.ts';
import { DeploymentForm } from './deployment-form.tsx';

type EditDeploymentDialogProps = {
  /** As it was when the dialog was opened: a change by somebody else does not overwrite what is being typed. */
  deployment: Deployment;
  onClose: () => void;
};

export function EditDeploymentDialog({ deployment, onClose }: EditDeploymentDialogProps) {
  const update = useUpdateDeployment();
  return (
    <Dialog open onOpenChange={onClose} title="Edit Deployment">
      <DeploymentForm
        defaultValues={formOf(deployment)}
        submitLabel="Save Changes"
        savingLabel="Saving..."
        failure="Error"
        save={(form) => update.mutateAsync({ before: deployment, form })}
        onSaved={() => {
          showSuccess('Deployment updated');
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
