import { mayDo } from '#shared/permissions.ts';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import { exportDeployments } from '#web/features/deployments/api.ts';
import { DeploymentBoard } from '#web/features/deployments/deployment-board.tsx';
import { DeploymentList } from '#web/features/deployments/deployment-list.tsx';
import type { DeploymentSearch } from '#web/features/deployments/schema.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useAuth } from '#web/lib/session/auth.ts';

type DeploymentsScreenProps = {
  search: DeploymentSearch;
  onChange: ChangeSearch<DeploymentSearch>;
};

export function DeploymentsScreen({ search, onChange }: DeploymentsScreenProps) {
  const { roles } = useAuth();
  return (
    <DeploymentBoard
      heading={
        <h2 className="font-display text-3xl leading-tight sm:text-4xl">Guard Deployments</h2>
      }
      buttons={<ExportButton exportRecords={() => exportDeployments(search)} />}
      createTitle="New Deployment"
      created="Deployment created"
    >
      <DeploymentList
        search={search}
        onChange={onChange}
        canEdit={mayDo(roles, 'deployments', 'update')}
        deleted="Deployment deleted"
      />
    </DeploymentBoard>
  );
}
