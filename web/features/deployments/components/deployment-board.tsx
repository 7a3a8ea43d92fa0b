// The whole tool: heading, New Deployment, the cards, and the dialogs. The tracker and the admin portal both show it.
import { Pencil, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import type { Deployment } from '../schema.ts';
import { DeleteDeploymentButton } from './delete-deployment-button.tsx';
import { DeploymentCard } from './deployment-card.tsx';
import { DeploymentList } from './deployment-list.tsx';
import { EditDeploymentDialog } from './edit-deployment-dialog.tsx';
import { NewDeploymentDialog } from './new-deployment-dialog.tsx';

type DeploymentBoardProps = {
  heading: ReactNode;
  mayEdit: boolean;
  createTitle: string;
  /** Titles of the toasts. */
  created: string;
  deleted: string;
};

export function DeploymentBoard(props: DeploymentBoardProps) {
  const { heading, mayEdit, createTitle, created, deleted } = props;
  const [isCreating, setCreating] = useState(false);
  const [editing, setEditing] = useState<Deployment>();
  return (
    <>
      <div className="mb-7 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        {heading}
        <Button onClick={() => setCreating(true)} className="max-sm:w-full">
          <Plus aria-hidden="true" className="size-4.5" />
          New Deployment
        </Button>
      </div>
      <DeploymentList
        renderCard={(deployment) => (
          <DeploymentCard
            deployment={deployment}
            actions={
              <>
                {mayEdit && (
                  <Button
                    variant="ghost"
                    className="px-3.5"
                    onClick={() => setEditing(deployment)}
                    aria-label={`Edit deployment of ${deployment.guard_name}`}
                  >
                    <Pencil aria-hidden="true" className="size-4" />
                    Edit
                  </Button>
                )}
                <DeleteDeploymentButton deployment={deployment} success={deleted} />
              </>
            }
          />
        )}
      />
      <NewDeploymentDialog
        open={isCreating}
        onClose={() => setCreating(false)}
        title={createTitle}
        success={created}
      />
      {editing && (
        <EditDeploymentDialog deployment={editing} onClose={() => setEditing(undefined)} />
      )}
    </>
  );
}
