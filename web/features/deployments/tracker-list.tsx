import { Plus } from 'lucide-react';
import { useState } from 'react';
import { GrowingCards } from '#web/components/list/cards.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { deployments } from './api.ts';
import { DeleteDeploymentButton, DeploymentCard } from './deployment-card.tsx';
import { DeploymentDialog } from './deployment-dialog.tsx';

export function TrackerList() {
  const [shown, setShown] = useState(CARDS_STEP);
  const [isAdding, setAdding] = useState(false);
  const query = deployments.useFirst(shown);
  return (
    <>
      <div className="mb-7 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <h1 className="font-display text-3xl leading-tight sm:text-4xl">
          Guard Deployment Tracker
        </h1>
        <h2 className="sr-only">Deployments</h2>
        <Button className="max-sm:w-full" onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" className="size-4.5" />
          New Deployment
        </Button>
      </div>
      <GrowingCards
        query={query}
        loading="Loading deployments..."
        empty="No deployments yet. Create your first deployment above."
        failure="Error fetching deployments"
        moreLabel="Show older deployments"
        shown={shown}
        onChange={(change) => setShown(change.shown ?? CARDS_STEP)}
        renderCard={(deployment) => (
          <DeploymentCard
            deployment={deployment}
            actions={
              <DeleteDeploymentButton
                deployment={deployment}
                success="Deployment deleted successfully"
              />
            }
          />
        )}
      />
      {isAdding && (
        <DeploymentDialog
          open="new"
          listed={query.data?.rows}
          addTitle="Create New Deployment"
          added="Deployment created successfully"
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
