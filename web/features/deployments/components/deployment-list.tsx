// The deployments as cards, and more of them when asked.
import { type ReactNode, useState } from 'react';
import { RecordList } from '#web/components/records/record-list.tsx';
import { CARDS_STEP } from '#web/lib/records.ts';
import { useDeployments } from '../api/list-deployments.ts';
import type { Deployment } from '../schema.ts';

type DeploymentListProps = { renderCard: (deployment: Deployment) => ReactNode };

export function DeploymentList({ renderCard }: DeploymentListProps) {
  const [limit, setLimit] = useState(CARDS_STEP);
  return (
    <RecordList
      query={useDeployments(limit)}
      loadingText="Loading deployments..."
      emptyText="No deployments yet. Create your first deployment above."
      failure="Error fetching deployments"
      moreLabel="Show older deployments"
      onMore={() => setLimit(limit + CARDS_STEP)}
      renderCard={renderCard}
    />
  );
}
