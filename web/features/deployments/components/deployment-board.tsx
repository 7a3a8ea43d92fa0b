// Around every list of deployments: the heading, New Deployment and its dialog. The tracker and the admin portal both show it.
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { LatePart } from '#web/components/layout/late-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/opening.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';

const NewDeploymentDialog = lazily(
  async () => (await import('./new-deployment-dialog.tsx')).NewDeploymentDialog,
);

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
  // Its code comes with the first wish for it, and then stays, so that it can close as it opened.
  const [isWanted, setWanted] = useState(false);
  return (
    <>
      <div className="mb-7 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        {props.heading}
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:[&>*]:flex-1">
          {props.buttons}
          <Button
            onClick={() => {
              setWanted(true);
              setCreating(true);
            }}
          >
            <Plus aria-hidden="true" className="size-4.5" />
            New Deployment
          </Button>
        </div>
      </div>
      {props.children}
      {isWanted && (
        <LatePart fallback={<Opening title={props.createTitle} />} onClose={() => setWanted(false)}>
          <NewDeploymentDialog
            open={isCreating}
            onClose={() => setCreating(false)}
            title={props.createTitle}
            success={props.created}
          />
        </LatePart>
      )}
    </>
  );
}
