// Sites Management: search, pages, and the dialogs.
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
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
      <PagedTable
        query={query}
        loading="Loading sites..."
        empty={
          q || page > 1
            ? 'No sites match. Change the search.'
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
