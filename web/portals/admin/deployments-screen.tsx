// /admin: Guard Deployments, with editing for those who may.
import { getRouteApi } from '@tanstack/react-router';
import { mayDo } from '#shared/permissions.ts';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { exportDeployments } from '#web/features/deployments/api.ts';
import { DeploymentBoard } from '#web/features/deployments/deployment-board.tsx';
import { DeploymentList } from '#web/features/deployments/deployment-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';

const route = getRouteApi('/admin/');

export function DeploymentsScreen() {
  const { roles } = useAuth();
  usePageTitle('Guard Deployments');
  const search = route.useSearch();
  const navigate = route.useNavigate();
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
        onChange={(change) =>
          navigate({
            search: (now) => ({ ...now, ...change }),
            // Back closes what was opened; typing a search leaves no trail of letters.
            replace: !change.open,
            resetScroll: change.page !== undefined,
          })
        }
        canEdit={mayDo(roles, 'deployments', 'update')}
        deleted="Deployment deleted"
      />
    </DeploymentBoard>
  );
}
