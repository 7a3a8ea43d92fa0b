import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import type { Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { type Account, useAccounts, useSaveAccount } from './api.ts';
import { accountSchema } from './rules.ts';

const BOOKED: Record<string, string> = {
  receivables: 'What clients owe',
  revenue: 'Invoices without tax',
  tax_payable: 'Tax on invoices, less what returns of VAT claim and pay',
  tax_withheld: 'Tax that clients kept from their payments',
  written_off: 'Small differences of invoices, and advances written off',
  vat_input: 'VAT in expenses, until a return claims it',
  bank: 'Receipts, pay, expenses, advances and VAT by bank and cheque',
  cash: 'Receipts, pay, expenses, advances and VAT in cash',
  mobile_money: 'Receipts, pay, expenses, advances and VAT by mobile money',
  expense_operations: 'Expenses of operations',
  expense_payroll: 'Expenses of the category payroll',
  expense_equipment: 'Expenses of equipment, and uniforms of staff',
  expense_training: 'Expenses of training',
  expense_transport: 'Expenses of transport',
  expense_utilities: 'Expenses of utilities',
  expense_other: 'Other expenses',
  wages: 'Gross pay, of runs and by hand',
  employer_contributions: 'The employer’s share of NASSCORP',
  income_tax_payable: 'PAYE taken from pay',
  nasscorp_payable: 'NASSCORP of both shares',
  wages_payable: 'Net pay until it is paid',
  staff_advances: 'Advances, loans and uniforms of staff, until they are repaid',
  other_deductions: 'Other deductions from pay',
  equity: 'What opening balances leave over',
  loans_payable: 'Loans of the company, by hand',
  interest: 'Interest and bank charges, by hand',
  exchange: 'Money exchanged, until its gain or loss is booked',
  exchange_gains: 'Gains and losses of exchange, by hand',
};

const columnsFor = (onEdit: (account: Account) => void): Column<Account>[] => [
  { header: 'Code', card: 'aside', className: 'tabular-nums', cell: ({ code }) => code },
  { header: 'Account', card: 'title', className: 'font-semibold', cell: ({ name }) => name },
  { header: 'Booked to it', card: 'text', cell: ({ key }) => BOOKED[key] ?? key },
  {
    header: 'Actions',
    card: 'actions',
    className: 'text-right',
    cell: (account) => (
      <IconButton
        title="Edit"
        label={`Edit ${account.name}`}
        Icon={Pencil}
        onClick={() => onEdit(account)}
      />
    ),
  },
];

function AccountDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const { mutateAsync } = useSaveAccount();
  return (
    <EntryDialog
      title="Edit Account"
      description={`${BOOKED[account.key] ?? account.key}. Earlier journal lines get the new code and name too.`}
      schema={accountSchema}
      defaultValues={{ code: account.code, name: account.name }}
      submitLabel="Save Changes"
      success="Account updated"
      failure="Account not updated"
      save={(form) => mutateAsync({ id: account.id, form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.text('code', 'Code')}
            {field.text('name', 'Name')}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

export function ChartPanel() {
  const [edited, setEdited] = useState<Account>();
  return (
    <>
      <Loaded query={useAccounts()} loadingText="Loading the chart of accounts...">
        {(accounts) => (
          <DataTable
            label="Chart of accounts"
            columns={columnsFor(setEdited)}
            rows={accounts}
            rowId={({ id }) => id}
            room={40}
          />
        )}
      </Loaded>
      {edited && <AccountDialog account={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
