import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type Column, RowActions } from '#web/components/list/columns.tsx';
import { FilterSelect, ListToolbar } from '#web/components/list/filters.tsx';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportSites, useSites, useSitesWithoutPosition } from './api.ts';
import { DeleteSiteDialog } from './delete-site-dialog.tsx';
import type { Site, SiteSearch } from './schema.ts';
import { EditSiteDialog, NewSiteDialog } from './site-form.tsx';

type Actions = { onEdit: (row: Site) => void; onDelete: (row: Site) => void };

const siteColumns = ({ onEdit, onDelete }: Actions): Column<Site>[] => [
  {
    header: 'Site Name',
    card: 'title',
    className: 'font-semibold',
    sort: 'name',
    cell: (row) => row.name,
  },
  { header: 'Client', sort: 'client', cell: (row) => row.client_name },
  {
    header: 'Address',
    className: '[overflow-wrap:anywhere]',
    sort: 'address',
    cell: (row) => row.address,
  },
  {
    header: 'Timezone',
    className: 'whitespace-nowrap',
    sort: 'timezone',
    cell: (row) => row.timezone,
  },
  {
    header: 'Actions',
    card: 'actions',
    className: 'text-right',
    cell: (row) => (
      <RowActions name={row.name} onEdit={() => onEdit(row)} onDelete={() => onDelete(row)} />
    ),
  },
];

const POSITIONS = [['none', 'Without a position']] as const;

type SiteListProps = { search: SiteSearch; onChange: ChangeSearch<SiteSearch> };

export function SiteList({ search, onChange }: SiteListProps) {
  const { q = '', sort, page = 1, position, open } = search;
  const query = useSites({ q, sort, page, position });
  const { data: withoutPosition = 0 } = useSitesWithoutPosition();
  const [isAdding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Site>();
  const columns = useMemo(
    () => siteColumns({ onEdit: ({ id }) => onChange({ open: id }), onDelete: setDeleting }),
    [onChange],
  );
  return (
    <>
      <ScreenHeading title="Sites Management">
        <ExportButton exportRecords={() => exportSites({ q, sort, position })} />
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Site
        </Button>
      </ScreenHeading>
      <ListToolbar
        searchLabel="Search sites"
        search={q}
        onSearch={(text) => onChange({ q: text || undefined, page: undefined })}
      >
        <FilterSelect
          label="Position"
          all="All sites"
          options={POSITIONS}
          value={position}
          onChange={(value) => onChange({ position: value, page: undefined })}
        />
      </ListToolbar>
      {withoutPosition > 0 && position === undefined && (
        <Alert
          title={
            withoutPosition === 1
              ? '1 site has no position'
              : `${withoutPosition} sites have no position`
          }
          className="mb-5"
          action={
            <Button
              variant="secondary"
              onClick={() => onChange({ position: 'none', page: undefined })}
            >
              Show
            </Button>
          }
        >
          Clock-ins there can't be checked against the fence. Put these sites on the map.
        </Alert>
      )}
      <PagedTable
        query={query}
        loading="Loading sites..."
        empty={
          q || position || page > 1
            ? 'No sites match. Change the search or the filter.'
            : 'No sites yet. Add the first one above.'
        }
        room={52}
        label="Sites"
        columns={columns}
        rowId={({ id }) => id}
        page={page}
        sort={sort}
        onChange={onChange}
      />
      {isAdding && <NewSiteDialog onClose={() => setAdding(false)} />}
      {open && (
        <EditSiteDialog
          key={open}
          id={open}
          listed={query.data?.rows.find(({ id }) => id === open)}
          onClose={() => onChange({ open: undefined })}
        />
      )}
      {deleting && <DeleteSiteDialog site={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
