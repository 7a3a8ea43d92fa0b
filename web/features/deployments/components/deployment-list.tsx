// The deployments as cards, in every state: loading, failed, empty, rows, and more to load.
import { type ReactNode, useEffect, useState } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';
import { useDeployments } from '../api/list-deployments.ts';
import type { Deployment } from '../schema.ts';

const STEP = 60;

type DeploymentListProps = { renderCard: (deployment: Deployment) => ReactNode };

export function DeploymentList({ renderCard }: DeploymentListProps) {
  const [limit, setLimit] = useState(STEP);
  const { data, error, refetch, isFetching } = useDeployments(limit);

  useEffect(() => {
    if (error) showError('Error fetching deployments', messageOf(error));
  }, [error]);

  if (!data && !error) return <Loading text="Loading deployments..." />;
  return (
    <>
      {error && (
        <Alert
          tone="danger"
          title={data ? 'This list may be out of date' : 'The list could not be loaded'}
          className="mb-5"
          action={
            <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {data?.rows.length === 0 && (
        <p className="rounded-sm border border-dashed border-line-strong px-6 py-16 text-center text-muted">
          No deployments yet. Create your first deployment above.
        </p>
      )}
      {data && data.rows.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,21rem),1fr))] gap-4">
          {data.rows.map((deployment) => (
            <li key={deployment.id} className="min-w-0">
              {renderCard(deployment)}
            </li>
          ))}
        </ul>
      )}
      {data && data.rows.length < data.total && (
        <div className="mt-8 flex flex-wrap items-center justify-center gap-4">
          <p className="text-sm text-muted">
            Showing {data.rows.length} of {data.total}
          </p>
          <Button variant="secondary" busy={isFetching} onClick={() => setLimit(limit + STEP)}>
            Show older deployments
          </Button>
        </div>
      )}
    </>
  );
}
