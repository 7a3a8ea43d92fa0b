// The list that bank accounts and loan accounts have in common.
import { type ComponentProps, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { formatAmount } from '#shared/money.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { AccountNumber } from '#web/components/text/account-number.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { listQueries } from '#web/lib/data/list-queries.ts';
import type { ChangeSearch, RecordsSearch } from '#web/lib/data/list-search.ts';
import type { DeleteTable } from '#web/lib/data/many-rows.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { inTitle } from '#web/lib/format/letter-case.ts';
import type { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import type { Column } from './columns.tsx';
import { deleteAction } from './delete-action.ts';
import { ListScreen } from './list-screen.tsx';
import { SampleImport } from './sample-import.tsx';
import { TableRows } from './table-rows.tsx';

type Account = {
  id: string;
  account_title: string;
  bank_name: string;
  currency: string;
  current_balance: number | null;
  statement_period_start: string | null;
  statement_period_end: string | null;
  status: keyof typeof STATUS_LABELS;
  notes: string | null;
  /** Of the bank. */
  address?: string | null;
  balance_type?: string;
  account_type?: string | null;
  opening_balance?: number | null;
};

const AMOUNT = 'text-right tabular-nums whitespace-nowrap';

/** A column of amounts, "-" where none is known. */
export const amountColumn = <Row,>(
  header: string,
  amountOf: (row: Row) => number | null,
): Column<Row> => ({
  header,
  className: AMOUNT,
  cell: (row) => {
    const amount = amountOf(row);
    return amount === null ? '-' : formatAmount(amount);
  },
});

/** @param further columns before the current balance */
export const accountColumns = <Row extends Account>(
  numberOf: (row: Row) => string,
  further: Column<Row>[] = [],
): Column<Row>[] => [
  {
    header: 'Account Title',
    card: 'title',
    className: 'font-semibold',
    sort: 'title',
    cell: (row) => (
      <>
        {row.account_title}
        <SecondLine compact="hidden">{row.notes}</SecondLine>
      </>
    ),
  },
  {
    header: 'Bank Name',
    sort: 'bank',
    cell: (row) => (
      <>
        {row.bank_name}
        <SecondLine narrow compact="hidden">
          {row.address ?? row.account_type}
        </SecondLine>
      </>
    ),
  },
  {
    header: 'Account Number',
    className: 'whitespace-nowrap',
    cell: (row) => (
      <>
        <AccountNumber number={numberOf(row)} />
        <SecondLine compact="hidden">
          {formatPeriod(row.statement_period_start, row.statement_period_end)}
        </SecondLine>
      </>
    ),
  },
  ...further,
  {
    header: 'Current Balance',
    className: `${AMOUNT} font-semibold`,
    sort: 'balance',
    cell: ({ currency, current_balance, balance_type = '', opening_balance }) => (
      <>
        {current_balance === null
          ? '-'
          : `${currency} ${formatAmount(current_balance)} ${balance_type}`.trim()}
        <SecondLine compact="hidden">
          {typeof opening_balance === 'number' && `Opening ${formatAmount(opening_balance)}`}
        </SecondLine>
      </>
    ),
  },
  { header: 'Status', card: 'aside', cell: (row) => <StatusBadge status={row.status} /> },
];

export type AccountSearch = { search: RecordsSearch; onChange: ChangeSearch<RecordsSearch> };

type AccountListProps<Row extends Account, Form extends FieldValues> = AccountSearch &
  Pick<ComponentProps<typeof SampleImport>, 'samples'> & {
    list: ReturnType<typeof listQueries<Row, Pick<RecordsSearch, 'sort'>>>;
    records: ComponentProps<typeof RecordDialog<Row, Form>>['records'] &
      ComponentProps<typeof DeleteRecordDialog<Row>>['records'];
    table: DeleteTable;
    columns: Column<Row>[];
    room: number;
    importLabel: string;
    /** What the deletion of many loses. */
    loss: string;
    children: ComponentProps<typeof RecordDialog<Row, Form>>['children'];
  };

export function AccountList<Row extends Account, Form extends FieldValues>(
  props: AccountListProps<Row, Form>,
) {
  const { list, records, samples } = props;
  const screen = list.useScreen(props.search, props.onChange);
  const [deleting, setDeleting] = useState<Row>();
  const nouns = `${records.name}s`;
  const nameOf = (row: Row) => `${records.name} ${row.account_title}`;
  return (
    <ListScreen
      {...screen}
      title={inTitle(nouns)}
      buttons={
        <SampleImport
          label={props.importLabel}
          samples={samples}
          total={screen.query.data?.total}
        />
      }
      addLabel={`Add ${inTitle(records.name)}`}
      dense
      room={props.room}
      isUsuallyCards
      Table={TableRows}
      columns={props.columns}
      actions={{ nameOf, onDelete: setDeleting }}
      bulk={{
        noun: [records.name, nouns],
        nameOf,
        actions: [deleteAction(props.table, () => props.loss)],
      }}
      dialog={(opened) => (
        <RecordDialog {...opened} records={records} invalid="Validation Error">
          {props.children}
        </RecordDialog>
      )}
    >
      {deleting && (
        <DeleteRecordDialog
          records={records}
          id={deleting.id}
          consequence={`${deleting.account_title} at ${deleting.bank_name} leaves the list, and its amounts leave the bank and cashflow totals.`}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </ListScreen>
  );
}
