// Creates a deployment.
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useCreateDeployment } from '../api/create-deployment.ts';
import { emptyForm } from '../schema.ts';
import { DeploymentForm } from './deployment-form.tsx';

type NewDeploymentDialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Title of the toast. */
  success: string;
};

export function NewDeploymentDialog({ open, onClose, title, success }: NewDeploymentDialogProps) {
  const create = useCreateDeployment();
  return (
    <Dialog open={open} onOpenChange={onClose} title={title}>
      <DeploymentForm
        defaultValues={emptyForm}
        submitLabel="Create Deployment"
        savingLabel="Creating..."
        failure="Error creating deployment"
        save={create.mutateAsync}
        onSaved={() => {
          showSuccess(success);
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
