import { useState } from 'react';
import { foldText } from '#shared/search-text.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, formatPeriod, today } from '#web/lib/format/dates.ts';
import { useSaveClientTax, useTaxClients } from './api.ts';
import { clientTaxSchema, shownExemption, type TaxClient, toClientTaxForm } from './schema.ts';
import type { VatSearch } from './search.ts';

function Certificate({ client }: { client: TaxClient }) {
  const shown = shownExemption(client, today());
  if (!shown) return <span className="text-muted">No certificate</span>;
  const { certificate, valid_from, valid_to } = shown;
  const days = valid_to ? formatPeriod(valid_from, valid_to) : `from ${formatDay(valid_from)}`;
  return (
    <>
      {certificate}, {days}{' '}
      {valid_to !== null && valid_to < today() && <Badge tone="orange">Ended</Badge>}
    </>
  );
}

const COLUMNS: Column<TaxClient>[] = [
  {
    header: 'Client',
    card: 'title',
    className: 'font-semibold',
    cell: ({ id, name }) => <ClientLink id={id} name={name} />,
  },
  {
    header: 'Tax number',
    card: 'line',
    cell: ({ tin }) => tin ?? <Badge tone="orange">Missing</Badge>,
  },
  {
    header: 'Certificate of exemption',
    card: 'text',
    cell: (client) => <Certificate client={client} />,
  },
];

function ClientTaxDialog({ client, onClose }: { client: TaxClient; onClose: () => void }) {
  const { mutateAsync } = useSaveClientTax();
  return (
    <EntryDialog
      title={`Tax of ${client.name}`}
      schema={clientTaxSchema}
      defaultValues={toClientTaxForm(client)}
      submitLabel="Save"
      success="Client updated successfully"
      failure="Client not updated"
      save={(form) => mutateAsync({ client, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.text('tin', 'Tax Number (TIN)', {
              optional: true,
              wide: true,
              hint: 'Printed on invoices, and on the return.',
            })}
            {field.text('certificate', 'Certificate of Exemption', {
              optional: true,
              wide: true,
              hint: 'Its number. While it is valid, the client is billed without VAT.',
            })}
            {field.day('valid_from', 'Valid From', { optional: true })}
            {field.day('valid_to', 'Valid Until', {
              optional: true,
              hint: 'Last day, inclusive.',
            })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

type ClientsPanelProps = { search: VatSearch; onChange: ChangeSearch<VatSearch> };

/** Tax numbers of clients, missing ones first, and certificates with which they buy without VAT. */
export function ClientsPanel({ search, onChange }: ClientsPanelProps) {
  const [edited, setEdited] = useState<TaxClient>();
  const columns = [
    ...COLUMNS,
    actionsColumn((client: TaxClient) => ({
      name: client.name,
      onEdit: () => setEdited(client),
    })),
  ];
  const wanted = foldText(search.q ?? '').trim();
  return (
    <>
      <ListToolbar search={search} onChange={onChange} searchLabel="Search clients" />
      <Loaded query={useTaxClients()} loadingText="Loading clients...">
        {(clients) => {
          const rows = clients
            .filter(({ name }) => foldText(name).includes(wanted))
            .sort((a, b) => Number(a.tin !== null) - Number(b.tin !== null));
          const missing = clients.filter(({ tin }) => tin === null).length;
          return (
            <>
              <p className="mb-3 text-sm text-muted">
                {missing === 0
                  ? 'Every client has a tax number.'
                  : `${missing} of ${clients.length} clients have no tax number.`}
              </p>
              {rows.length === 0 ? (
                <EmptyNote>No client found</EmptyNote>
              ) : (
                <DataTable
                  label="Clients"
                  columns={columns}
                  rows={rows}
                  rowId={({ id }) => id}
                  room={44}
                />
              )}
            </>
          );
        }}
      </Loaded>
      {edited && <ClientTaxDialog client={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
