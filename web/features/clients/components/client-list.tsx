// Clients: the totals, search, order, pages of cards, and the dialogs.
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { usePages } from '#web/components/list/use-pages.ts';
import { CardGrid } from '#web/components/records/card-grid.tsx';
import { CsvImport } from '#web/components/records/csv-import.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ImportButton } from '#web/components/records/import-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { CARDS_PAGE } from '#web/lib/data/pages.ts';
import { exportClients } from '../api/export-clients.ts';
import { useImportClients, useImportSampleClients } from '../api/import-clients.ts';
import { useClients } from '../api/list-clients.ts';
import { IMPORT_COLUMNS, readClient } from '../import.ts';
import { SORT_LABELS } from '../labels.ts';
import { type Client, type ClientSearch, SORTS } from '../schema.ts';
import { ClientCard } from './client-card.tsx';
import { ClientDeletion } from './client-deletion.tsx';
import { ChangedClient, NewClient } from './client-entry.tsx';
import { ClientTotals } from './client-totals.tsx';

const SORT_OPTIONS = SORTS.map((sort) => [sort, SORT_LABELS[sort]] as const);

type ClientListProps = { search: ClientSearch; onChange: ChangeSearch<ClientSearch> };

export function ClientList({ search, onChange }: ClientListProps) {
  const { q = '', sort, page = 1, open } = search;
  const query = useClients({ q, sort, page });
  const answered = query.isPlaceholderData ? undefined : query.data;
  const onPage = usePages(answered, page, CARDS_PAGE, onChange);
  const importRows = useImportClients();
  const [isAdding, setAdding] = useState(false);
  const [deleting, setDeleting] = useState<Client>();
  return (
    <>
      <ScreenHeading title="Clients">
        <ExportButton exportRecords={() => exportClients({ q, sort })} />
        <ImportButton
          label="Import Sample"
          importRecords={useImportSampleClients()}
          success={(count) => `${count} clients imported successfully`}
        />
        <CsvImport
          title="Import Clients"
          columns={IMPORT_COLUMNS}
          readRow={readClient}
          importRows={importRows.mutateAsync}
        />
        <Button onClick={() => setAdding(true)}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Client
        </Button>
      </ScreenHeading>
      <ClientTotals q={q} />
      <ListToolbar
        searchLabel="Search clients"
        search={q}
        onSearch={(text) => onChange({ q: text || undefined, page: undefined })}
      >
        <FilterSelect
          label="Sort by"
          all="Name, A to Z"
          options={SORT_OPTIONS}
          value={sort}
          onChange={(value) => onChange({ sort: value, page: undefined })}
        />
      </ListToolbar>
      <ListStates
        query={query}
        loading="Loading clients..."
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          q || page > 1
            ? 'No clients match. Change the search.'
            : 'No clients yet. Add the first one above.'
        }
      >
        {({ rows, total }) => (
          <>
            <CardGrid
              label="Clients"
              rows={rows}
              renderCard={(client) => (
                <ClientCard
                  client={client}
                  onEdit={() => onChange({ open: client.id })}
                  onDelete={() => setDeleting(client)}
                />
              )}
            />
            <Pager page={page} pageSize={CARDS_PAGE} total={total} onPage={onPage} />
          </>
        )}
      </ListStates>
      {isAdding && <NewClient onClose={() => setAdding(false)} />}
      {open && (
        <ChangedClient
          key={open}
          id={open}
          known={query.data?.rows.find(({ id }) => id === open)}
          onClose={() => onChange({ open: undefined })}
        />
      )}
      {deleting && <ClientDeletion client={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
