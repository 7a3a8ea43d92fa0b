import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';

const NewDeploymentDialog = lazily(
  async () => (await import('./deployment-form.tsx')).NewDeploymentDialog,
);

type DeploymentBoardProps = {
  heading: ReactNode;
  /** Shown before New Deployment. */
  buttons?: ReactNode;
  createTitle: string;
  /** Title of the toast. */
  created: string;
  children: ReactNode;
};

/** Heading, New Deployment and a list, in the tracker and the admin portal. */
export function DeploymentBoard(props: DeploymentBoardProps) {
  const [isCreating, setCreating] = useState(false);
  // The dialog's code loads at the first press; it then stays mounted, for the closing animation.
  const [isMounted, setMounted] = useState(false);
  return (
    <>
      <div className="mb-7 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        {props.heading}
        <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:[&>*]:flex-1">
          {props.buttons}
          <Button
            onClick={() => {
              setMounted(true);
              setCreating(true);
            }}
          >
            <Plus aria-hidden="true" className="size-4.5" />
            New Deployment
          </Button>
        </div>
      </div>
      {props.children}
      {isMounted && (
        <LazyPart
          fallback={<Opening title={props.createTitle} />}
          onClose={() => setMounted(false)}
        >
          <NewDeploymentDialog
            open={isCreating}
            onClose={() => setCreating(false)}
            title={props.createTitle}
            success={props.created}
          />
        </LazyPart>
      )}
    </>
  );
}
