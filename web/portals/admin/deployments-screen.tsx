// /admin: Guard Deployments, with editing for those who may.
import { mayDo } from '#shared/permissions.ts';
import { DeploymentBoard } from '#web/features/deployments/components/deployment-board.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useAuth } from '#web/lib/session/auth-context.ts';

export function DeploymentsScreen() {
  const { roles } = useAuth();
  usePageTitle('Guard Deployments');
  return (
    <DeploymentBoard
      heading={
        <h2 className="font-display text-3xl leading-tight sm:text-4xl">Guard Deployments</h2>
      }
      mayEdit={mayDo(roles, 'deployments', 'update')}
      createTitle="New Deployment"
      created="Deployment created"
      deleted="Deployment deleted"
    />
  );
}
