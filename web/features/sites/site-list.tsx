import { useMemo, useState } from 'react';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { FilterSelect } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportSites, sites, useSites, useSitesWithoutPosition } from './api.ts';
import { DeleteSiteDialog } from './delete-site-dialog.tsx';
import { emptyForm, formOf, type Site, type SiteSearch, siteSchema } from './schema.ts';
import { SiteFields } from './site-form.tsx';

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
  actionsColumn((row) => ({
    name: row.name,
    onEdit: () => onEdit(row),
    onDelete: () => onDelete(row),
  })),
];

const POSITIONS = [['none', 'Without a position']] as const;

type SiteListProps = { search: SiteSearch; onChange: ChangeSearch<SiteSearch> };

export function SiteList({ search, onChange }: SiteListProps) {
  const { q = '', sort, page = 1, position, open } = search;
  const query = useSites({ q, sort, page, position });
  const { data: withoutPosition = 0 } = useSitesWithoutPosition();
  const [deleting, setDeleting] = useState<Site>();
  const columns = useMemo(
    () => siteColumns({ onEdit: ({ id }) => onChange({ open: id }), onDelete: setDeleting }),
    [onChange],
  );
  return (
    <ListScreen
      title="Sites Management"
      exportRecords={() => exportSites({ q, sort, position })}
      addLabel="Add Site"
      onAdd={() => onChange({ open: 'new' })}
      searchLabel="Search sites"
      q={q}
      onChange={onChange}
      filters={
        <FilterSelect
          label="Position"
          all="All sites"
          options={POSITIONS}
          value={position}
          onChange={(value) => onChange({ position: value, page: undefined })}
        />
      }
    >
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
      {open && (
        <RecordDialog
          records={sites}
          open={open}
          listed={query.data?.rows}
          addTitle="Add Site"
          editTitle="Edit Site"
          missing="This site no longer exists."
          schema={siteSchema}
          emptyForm={emptyForm}
          toForm={formOf}
          added="Site created successfully"
          updated="Site updated successfully"
          onClose={() => onChange({ open: undefined })}
        >
          {(form, site) => <SiteFields form={form} siteId={site?.id} />}
        </RecordDialog>
      )}
      {deleting && <DeleteSiteDialog site={deleting} onClose={() => setDeleting(undefined)} />}
    </ListScreen>
  );
}
