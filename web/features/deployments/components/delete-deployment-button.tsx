// Deletes at once, without asking; the toast offers to take it back.
import { Trash2 } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
import { useDeleteDeployment } from '../api/delete-deployment.ts';
import { useRestoreDeployment } from '../api/restore-deployment.ts';
import type { Deployment } from '../schema.ts';

type DeleteDeploymentButtonProps = {
  deployment: Deployment;
  /** Title of the toast. */
  success: string;
};

export function DeleteDeploymentButton({ deployment, success }: DeleteDeploymentButtonProps) {
  const remove = useDeleteDeployment();
  const restore = useRestoreDeployment();

  function undo(row: Deployment) {
    restore
      .mutateAsync(row)
      .then(() => showSuccess('Deployment restored'))
      .catch((error: unknown) => showError('Error', messageOf(error)));
  }
  function press() {
    remove
      .mutateAsync(deployment.id)
      .then((row) => {
        const action = row ? { label: 'Undo', onPress: () => undo(row) } : undefined;
        showSuccess(success, undefined, action);
      })
      .catch((error: unknown) => showError('Error deleting deployment', messageOf(error)));
  }
  return (
    <Button
      variant="danger-ghost"
      className="px-3.5"
      busy={remove.isPending}
      onClick={press}
      aria-label={`Delete deployment of ${deployment.guard_name}`}
    >
      {!remove.isPending && <Trash2 aria-hidden="true" className="size-4" />}
      Delete
    </Button>
  );
}
