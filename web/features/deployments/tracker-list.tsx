import { useState } from 'react';
import { RecordList } from '#web/components/records/record-list.tsx';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { deployments } from './api.ts';
import { DeleteDeploymentButton, DeploymentCard } from './deployment-card.tsx';

type TrackerListProps = {
  /** Title of the toast. */
  deleted: string;
};

export function TrackerList({ deleted }: TrackerListProps) {
  const [limit, setLimit] = useState(CARDS_STEP);
  return (
    <RecordList
      query={deployments.useFirst(limit)}
      loadingText="Loading deployments..."
      emptyText="No deployments yet. Create your first deployment above."
      failure="Error fetching deployments"
      moreLabel="Show older deployments"
      onMore={() => setLimit(limit + CARDS_STEP)}
      renderCard={(deployment) => (
        <DeploymentCard
          deployment={deployment}
          actions={<DeleteDeploymentButton deployment={deployment} success={deleted} />}
        />
      )}
    />
  );
}
