// Sites Management: search, pages, and the dialogs.
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { PAGE_SIZE } from '#web/lib/list-page.ts';
import type { ChangeSearch } from '#web/lib/list-search.ts';
import { exportSites } from '../api/export-sites.ts';
import { useSites } from '../api/list-sites.ts';
import type { Site, SiteSearch } from '../schema.ts';
import { siteColumns } from './site-columns.tsx';
import { SiteDeletion } from './site-deletion.tsx';
import { ChangedSite, NewSite } from './site-entry.tsx';

type SiteListProps = { search: SiteSearch; onChange: ChangeSearch<SiteSearch> };

export function SiteList({ search, onChange }: SiteListProps) {
  const { q = '', sort, page = 1, open } = search;
  const query = useSites({ q, sort, page });
  const [isAdding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Site>();
  const columns = useMemo(
    () => siteColumns({ onEdit: ({ id }) => onChange({ open: id }), onDelete: setDeleting }),
    [onChange],
  );
  return (
    <>
      <ScreenHeading title="Sites Management">
        <ExportButton exportRecords={() => exportSites({ q, sort })} />
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Site
        </Button>
      </ScreenHeading>
      <ListToolbar
        searchLabel="Search sites"
        search={q}
        onSearch={(text) => onChange({ q: text || undefined, page: undefined })}
      />
      <ListStates
        query={query}
        loading="Loading sites..."
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          q || page > 1
            ? 'No sites match. Change the search.'
            : 'No sites yet. Add the first one above.'
        }
      >
        {({ rows, total }) => (
          <>
            <DataTable
              label="Sites"
              columns={columns}
              rows={rows}
              rowId={({ id }) => id}
              sorting={{ sort, onSort: (next) => onChange({ sort: next, page: undefined }) }}
            />
            <Pager
              page={page}
              pageSize={PAGE_SIZE}
              total={total}
              onPage={(next) => onChange({ page: next === 1 ? undefined : next })}
            />
          </>
        )}
      </ListStates>
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
