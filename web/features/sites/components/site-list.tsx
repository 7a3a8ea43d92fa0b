// Sites Management: search, pages, and the dialogs.
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportSites } from '../api/export-sites.ts';
import { useSites, useSitesWithoutPosition } from '../api/list-sites.ts';
import type { Site, SiteSearch } from '../schema.ts';
import { siteColumns } from './site-columns.tsx';
import { SiteDeletion } from './site-deletion.tsx';
import { ChangedSite, NewSite } from './site-entry.tsx';

const POSITIONS = [['none', 'Without a position']] as const;

type SiteListProps = { search: SiteSearch; onChange: ChangeSearch<SiteSearch> };

export function SiteList({ search, onChange }: SiteListProps) {
  const { q = '', sort, page = 1, position, open } = search;
  const query = useSites({ q, sort, page, position });
  const { data: unplaced = 0 } = useSitesWithoutPosition();
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
      {unplaced > 0 && position === undefined && (
        <Alert
          title={unplaced === 1 ? '1 site has no position' : `${unplaced} sites have no position`}
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
      {isAdding && <NewSite onClose={() => setAdding(false)} />}
      {open && (
        <ChangedSite
          key={open}
          id={open}
          known={query.data?.rows.find(({ id }) => id === open)}
          onClose={() => onChange({ open: undefined })}
        />
      )}
      {deleting && <SiteDeletion site={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
