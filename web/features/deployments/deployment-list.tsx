import { Pencil } from 'lucide-react';
import { mayDo } from '#shared/permissions.ts';
import { FilterSelect } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { PagedCards } from '#web/components/list/paged-cards.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { DEPLOYMENT_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { exportDeployments, useDeploymentsPage } from './api.ts';
import { DeleteDeploymentButton, DeploymentCard } from './deployment-card.tsx';
import { DeploymentDialog } from './deployment-dialog.tsx';
import type { Deployment, DeploymentSearch } from './schema.ts';

const STATUS_OPTIONS = DEPLOYMENT_STATUSES.map(
  (status) => [status, STATUS_LABELS[status]] as const,
);

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
  const { q = '', status, page = 1, open } = search;
  const { roles } = useAuth();
  const canEdit = mayDo(roles, 'deployments', 'update');
  const query = useDeploymentsPage({ q, status, page });
  const isFiltered = q !== '' || status !== undefined || page > 1;
  return (
    <ListScreen
      title="Guard Deployments"
      exportRecords={() => exportDeployments(search)}
      addLabel="New Deployment"
      onAdd={() => onChange({ open: 'new' })}
      searchLabel="Search deployments"
      q={q}
      onChange={onChange}
      filters={
        <FilterSelect
          label="Status"
          all="All statuses"
          options={STATUS_OPTIONS}
          value={status}
          onChange={(value) => onChange({ status: value, page: undefined })}
        />
      }
    >
      <PagedCards
        query={query}
        loading="Loading deployments..."
        empty={
          isFiltered
            ? 'No deployments match. Change the search or the filter.'
            : 'No deployments yet. Create your first deployment above.'
        }
        failure="Error fetching deployments"
        label="Deployments"
        page={page}
        onChange={onChange}
        renderCard={(deployment) => (
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
      />
      {open && (open === 'new' || canEdit) && (
        <DeploymentDialog
          open={open}
          listed={query.data?.rows}
          addTitle="New Deployment"
          added="Deployment created"
          onClose={() => onChange({ open: undefined })}
        />
      )}
    </ListScreen>
  );
}
