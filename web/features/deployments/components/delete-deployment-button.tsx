// Deletes at once, without asking; the toast offers to take it back.
import { Trash2 } from 'lucide-react';
import { useUndoableDelete } from '#web/components/records/use-undoable-delete.ts';
import { Button } from '#web/components/ui/button.tsx';
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
  const removeUndoably = useUndoableDelete({
    remove,
    restore: useRestoreDeployment(),
    deleted: success,
    restored: 'Deployment restored',
    failure: 'Error deleting deployment',
  });
  return (
    <Button
      variant="danger-ghost"
      className="px-3.5"
      busy={remove.isPending}
      onClick={() => removeUndoably(deployment.id)}
      aria-label={`Delete deployment of ${deployment.guard_name}`}
    >
      {!remove.isPending && <Trash2 aria-hidden="true" className="size-4" />}
      Delete
    </Button>
  );
}
