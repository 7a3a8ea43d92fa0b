import { useState } from 'react';
import { GrowingCards } from '#web/components/list/cards.tsx';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { deployments } from './api.ts';
import { DeleteDeploymentButton, DeploymentCard } from './deployment-card.tsx';

type TrackerListProps = {
  /** Title of the toast. */
  deleted: string;
};

export function TrackerList({ deleted }: TrackerListProps) {
  const [shown, setShown] = useState(CARDS_STEP);
  return (
    <GrowingCards
      query={deployments.useFirst(shown)}
      loading="Loading deployments..."
      empty="No deployments yet. Create your first deployment above."
      failure="Error fetching deployments"
      moreLabel="Show older deployments"
      shown={shown}
      onChange={(change) => setShown(change.shown ?? CARDS_STEP)}
      renderCard={(deployment) => (
        <DeploymentCard
          deployment={deployment}
          actions={<DeleteDeploymentButton deployment={deployment} success={deleted} />}
        />
      )}
    />
  );
}
