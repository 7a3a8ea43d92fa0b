import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { printedPercent } from '#shared/documents/printed-invoice.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel } from '#web/components/ui/panel.tsx';
import { type Registration, useRegistrations } from '#web/lib/data/vat-registrations.ts';
import { formatDay, formatPeriod, today } from '#web/lib/format/dates.ts';
import { registrations, useVatRates, type VatRates } from './api.ts';
import { registrationSchema, toRegistrationForm } from './schema.ts';

const daysOf = ({ registered_from, registered_to }: Registration) =>
  registered_to
    ? formatPeriod(registered_from, registered_to)
    : `From ${formatDay(registered_from)}`;

const COLUMNS: Column<Registration>[] = [
  { header: 'Registered', card: 'title', className: 'font-semibold', cell: daysOf },
  { header: 'VAT number', card: 'line', cell: ({ number }) => number },
];

function Rates({ rates }: { rates: VatRates }) {
  return (
    <Panel title="Rate">
      <ul className="grid gap-2 text-sm">
        {rates.inForce.map(({ id, rate, effective_from, source }) => (
          <li key={id}>
            <strong>
              {printedPercent(rate)} from {formatDay(effective_from)}
            </strong>{' '}
            <span className="text-muted">{source}</span>
          </li>
        ))}
        {rates.proposed.map(({ id, rate, effective_from, source }) => (
          <li key={id}>
            <strong>
              {printedPercent(rate)} from {formatDay(effective_from)}
            </strong>
            , not in force: it waits for an approval in{' '}
            <Link to="/admin/payroll" className={PAGE_LINK}>
              Pay Rates
            </Link>
            . <span className="text-muted">{source}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type DialogProps = { row: Registration | undefined; rates: VatRates; onClose: () => void };

function RegistrationDialog({ row, rates, onClose }: DialogProps) {
  const { mutateAsync } = registrations.useSave();
  const first = rates.inForce.at(-1)?.effective_from ?? today();
  return (
    <EntryDialog
      title={row ? 'Edit Registration' : 'Confirm Registration'}
      description="On these days invoices have VAT: each post at its rate, clients with a certificate without it. Drafts of these days are made again."
      schema={registrationSchema}
      defaultValues={toRegistrationForm(first, row)}
      submitLabel={row ? 'Save' : 'Confirm'}
      success={row ? 'Registration updated' : 'Registration confirmed'}
      failure="Registration not saved"
      save={(form) => mutateAsync({ id: row?.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.text('number', 'VAT Number', {
              wide: true,
              hint: 'Printed on every invoice.',
            })}
            {field.day('registered_from', 'From')}
            {field.day('registered_to', 'Until', {
              optional: true,
              hint: 'Last day, inclusive.',
            })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

type ContentProps = { rows: Registration[]; rates: VatRates };

function Content({ rows, rates }: ContentProps) {
  const [edited, setEdited] = useState<Registration | 'new'>();
  const [removing, setRemoving] = useState<Registration>();
  const actions = actionsColumn((row: Registration) => ({
    name: daysOf(row),
    onEdit: () => setEdited(row),
    onDelete: () => setRemoving(row),
  }));
  const isReady = rates.inForce.length > 0;
  return (
    <div className="grid grid-cols-1 gap-6">
      {rows.length === 0 && (
        <Alert title="VAT is off: the company is not registered">
          VAT replaces GST in Liberia. Ask the Revenue Authority whether guarding is taxed at the
          standard rate and whether the company must be registered.{' '}
          {isReady
            ? 'The rate is approved: confirm the registration.'
            : 'First the rate is approved in Pay Rates, then the registration is confirmed here.'}
        </Alert>
      )}
      <Rates rates={rates} />
      <Panel title="Registration">
        {rows.length > 0 && (
          <DataTable
            label="Registrations"
            columns={[...COLUMNS, actions]}
            rows={rows}
            rowId={({ id }) => id}
            room={30}
          />
        )}
        <Button
          variant={rows.length === 0 ? 'primary' : 'secondary'}
          className={rows.length === 0 ? '' : 'mt-4'}
          disabled={!isReady}
          onClick={() => setEdited('new')}
        >
          <Plus aria-hidden="true" className="size-4.5" />{' '}
          {rows.length === 0 ? 'Confirm Registration' : 'Add Registration'}
        </Button>
        {!isReady && <p className="mt-2 text-sm text-muted">No rate of VAT is approved yet.</p>}
      </Panel>
      {edited && (
        <RegistrationDialog
          row={edited === 'new' ? undefined : edited}
          rates={rates}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removing && (
        <DeleteRecordDialog
          records={registrations}
          id={removing.id}
          consequence="Invoices of these days are drafted without VAT."
          onClose={() => setRemoving(undefined)}
        />
      )}
    </div>
  );
}

/** Whether and since when the company is registered, and at which rate. */
export function RegistrationPanel() {
  const query = useRegistrations();
  const rates = useVatRates();
  return (
    <Loaded query={rates} loadingText="Loading the rates...">
      {(found) => (
        <Loaded query={query} loadingText="Loading the registration...">
          {(rows) => <Content rows={rows} rates={found} />}
        </Loaded>
      )}
    </Loaded>
  );
}
