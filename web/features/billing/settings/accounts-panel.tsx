import { Plus } from 'lucide-react';
import { useState } from 'react';
import { company } from '#company';
import { PAYMENT_ACCOUNTS_CURRENCY, PAYMENT_ACCOUNTS_KIND } from '#shared/database.values.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { paymentAccounts, usePaymentAccounts } from './api.ts';
import { accountSchema, KIND_LABELS, type PaymentAccount, toAccountForm } from './schema.ts';

const COLUMNS: Column<PaymentAccount>[] = [
  { header: 'Currency', card: 'aside', cell: ({ currency }) => currency },
  {
    header: 'Paid to',
    card: 'title',
    className: 'font-semibold',
    cell: ({ provider, kind }) => (
      <>
        {provider}
        <SecondLine>{KIND_LABELS[kind]}</SecondLine>
      </>
    ),
  },
  {
    header: 'Account',
    card: 'line',
    cell: ({ number, title, note }) => (
      <>
        <span className="tabular-nums">{number}</span>, {title}
        {note && <SecondLine wraps>{note}</SecondLine>}
      </>
    ),
  },
];

function AccountDialog({ row, onClose }: { row: PaymentAccount | undefined; onClose: () => void }) {
  const { mutateAsync } = paymentAccounts.useSave();
  return (
    <EntryDialog
      title={row ? 'Edit Account' : 'Add Account'}
      description="Printed on invoices that are issued from now on. Those already issued keep what they say."
      schema={accountSchema}
      defaultValues={toAccountForm(company.name, row)}
      submitLabel={row ? 'Save Changes' : 'Add Account'}
      success={row ? 'Account updated' : 'Account added'}
      failure="Account not saved"
      save={(form) => mutateAsync({ id: row?.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        const isBank = form.watch('kind') === 'bank';
        return (
          <FieldGrid>
            {field.select(
              'currency',
              'On invoices in',
              PAYMENT_ACCOUNTS_CURRENCY.map((code) => [code, code]),
            )}
            {field.select('kind', 'Kind', toOptions(PAYMENT_ACCOUNTS_KIND, KIND_LABELS))}
            {field.text('provider', isBank ? 'Bank' : 'Service')}
            {field.text('number', isBank ? 'Account Number' : 'Phone Number')}
            {field.text('title', 'In the Name of', { wide: true })}
            {field.text('note', isBank ? 'Branch, SWIFT' : 'Note', { optional: true, wide: true })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

/** Which accounts are on invoices of which currency. */
export function AccountsPanel() {
  const query = usePaymentAccounts();
  const [edited, setEdited] = useState<PaymentAccount | 'new'>();
  const [removing, setRemoving] = useState<PaymentAccount>();
  const actions = actionsColumn((row: PaymentAccount) => ({
    name: `${row.provider} ${row.number}`,
    onEdit: () => setEdited(row),
    onDelete: () => setRemoving(row),
  }));
  return (
    <Panel title="Accounts on Invoices">
      <Loaded query={query} loadingText="Loading the accounts...">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyNote>No account yet: invoices don’t say where to pay</EmptyNote>
          ) : (
            <DataTable
              label="Accounts on invoices"
              columns={[...COLUMNS, actions]}
              rows={rows}
              rowId={({ id }) => id}
              room={40}
            />
          )
        }
      </Loaded>
      <Button variant="secondary" className="mt-4" onClick={() => setEdited('new')}>
        <Plus aria-hidden="true" className="size-4.5" /> Add Account
      </Button>
      {edited && (
        <AccountDialog
          row={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removing && (
        <DeleteRecordDialog
          records={paymentAccounts}
          id={removing.id}
          consequence="Invoices that are issued from now on don’t name it. Other admins and finance get a notice."
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Panel>
  );
}
