// Around every list of deployments: the heading, New Deployment and its dialog. The tracker and the admin portal both show it.
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { NewDeploymentDialog } from './new-deployment-dialog.tsx';

type DeploymentBoardProps = {
  heading: ReactNode;
  /** Further buttons, before New Deployment. */
  buttons?: ReactNode;
  createTitle: string;
  /** Title of the toast. */
  created: string;
  /** The list. */
  children: ReactNode;
};

export function DeploymentBoard(props: DeploymentBoardProps) {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <div className="mb-7 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        {props.heading}
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:[&>*]:flex-1">
          {props.buttons}
          <Button onClick={() => setCreating(true)}>
            <Plus aria-hidden="true" className="size-4.5" />
            New Deployment
          </Button>
        </div>
      </div>
      {props.children}
      <NewDeploymentDialog
        open={isCreating}
        onClose={() => setCreating(false)}
        title={props.createTitle}
        success={props.created}
      />
    </>
  );
}
