import { Pencil } from 'lucide-react';
import { DEPLOYMENTS_STATUS } from '#shared/database.values.ts';
import { mayDo } from '#shared/permissions.ts';
import { choice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { deploymentList } from './api.ts';
import { DeleteDeploymentButton, DeploymentCard } from './deployment-card.tsx';
import { DeploymentDialog } from './deployment-dialog.tsx';
import type { Deployment } from './schema.ts';
import type { DeploymentSearch } from './search.ts';

const FILTERS = [
  choice('status', 'Status', 'All statuses', toOptions(DEPLOYMENTS_STATUS, STATUS_LABELS)),
];

type EditButtonProps = { deployment: Deployment; onPress: () => void };

function EditButton({ deployment, onPress }: EditButtonProps) {
  return (
    <Button
      variant="ghost"
      className="px-3.5"
      onClick={onPress}
      aria-label={`Edit deployment of ${deployment.guard_name}`}
    >
      <Pencil aria-hidden="true" className="size-4" />
      Edit
    </Button>
  );
}

type DeploymentListProps = { search: DeploymentSearch; onChange: ChangeSearch<DeploymentSearch> };

export function DeploymentList({ search, onChange }: DeploymentListProps) {
  const { roles } = useAuth();
  const canEdit = mayDo(roles, 'deployments', 'update');
  return (
    <ListScreen
      {...deploymentList.useScreen(search, onChange)}
      title="Guard Deployments"
      addLabel="New Deployment"
      filters={FILTERS}
      failure="Error fetching deployments"
      card={(deployment) => (
        <DeploymentCard
          deployment={deployment}
          actions={
            <>
              {canEdit && (
                <EditButton
                  deployment={deployment}
                  onPress={() => onChange({ open: deployment.id })}
                />
              )}
              <DeleteDeploymentButton deployment={deployment} success="Deployment deleted" />
            </>
          }
        />
      )}
      dialog={(opened) =>
        (opened.open === 'new' || canEdit) && (
          <DeploymentDialog {...opened} addTitle="New Deployment" added="Deployment created" />
        )
      }
    />
  );
}
