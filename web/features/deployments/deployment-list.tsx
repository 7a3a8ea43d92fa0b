import { Pencil } from 'lucide-react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { CardGrid } from '#web/components/list/cards.tsx';
import { FilterSelect, ListToolbar } from '#web/components/list/filters.tsx';
import { Pager, usePages } from '#web/components/list/pager.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote } from '#web/components/ui/empty-note.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { CARDS_PAGE } from '#web/lib/data/pages.ts';
import { lazily } from '#web/lib/render/lazily.tsx';
import { DEPLOYMENT_STATUSES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { useDeploymentsPage } from './api.ts';
import { DeleteDeploymentButton, DeploymentCard } from './deployment-card.tsx';
import type { DeploymentSearch } from './schema.ts';

const EditDeploymentDialog = lazily(
  async () => (await import('./deployment-form.tsx')).EditDeploymentDialog,
);

const STATUS_OPTIONS = DEPLOYMENT_STATUSES.map(
  (status) => [status, STATUS_LABELS[status]] as const,
);

type DeploymentListProps = {
  search: DeploymentSearch;
  onChange: ChangeSearch<DeploymentSearch>;
  canEdit: boolean;
  /** Title of the toast. */
  deleted: string;
};

export function DeploymentList({ search, onChange, canEdit, deleted }: DeploymentListProps) {
  const { q = '', status, page = 1, open } = search;
  const query = useDeploymentsPage({ q, status, page });
  const answered = query.isPlaceholderData ? undefined : query.data;
  const onPage = usePages(answered, page, CARDS_PAGE, onChange);
  const isNarrowed = q !== '' || status !== undefined || page > 1;
  return (
    <>
      <ListToolbar
        searchLabel="Search deployments"
        search={q}
        onSearch={(text) => onChange({ q: text || undefined, page: undefined })}
      >
        <FilterSelect
          label="Status"
          all="All statuses"
          options={STATUS_OPTIONS}
          value={status}
          onChange={(value) => onChange({ status: value, page: undefined })}
        />
      </ListToolbar>
      <Loaded
        query={query}
        loadingText="Loading deployments..."
        failure="Error fetching deployments"
        missing="The list could not be loaded"
        outdated="This list may be out of date"
      >
        {({ rows, total }) =>
          rows.length === 0 ? (
            <EmptyNote>
              {isNarrowed
                ? 'No deployments match. Change the search or the filter.'
                : 'No deployments yet. Create your first deployment above.'}
            </EmptyNote>
          ) : (
            <>
              <CardGrid
                label="Deployments"
                rows={rows}
                renderCard={(deployment) => (
                  <DeploymentCard
                    deployment={deployment}
                    actions={
                      <>
                        {canEdit && (
                          <Button
                            variant="ghost"
                            className="px-3.5"
                            onClick={() => onChange({ open: deployment.id })}
                            aria-label={`Edit deployment of ${deployment.guard_name}`}
                          >
                            <Pencil aria-hidden="true" className="size-4" />
                            Edit
                          </Button>
                        )}
                        <DeleteDeploymentButton deployment={deployment} success={deleted} />
                      </>
                    }
                  />
                )}
              />
              <Pager page={page} pageSize={CARDS_PAGE} total={total} onPage={onPage} />
            </>
          )
        }
      </Loaded>
      {open && canEdit && (
        <LazyPart
          fallback={<Opening title="Edit Deployment" />}
          onClose={() => onChange({ open: undefined })}
        >
          <EditDeploymentDialog
            key={open}
            id={open}
            known={query.data?.rows.find(({ id }) => id === open)}
            onClose={() => onChange({ open: undefined })}
          />
        </LazyPart>
      )}
    </>
  );
}
