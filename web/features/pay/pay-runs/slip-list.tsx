import { useMemo } from 'react';
import { type Column, moneyColumn, TOTAL } from '#web/components/list/columns.tsx';
import { ListRows } from '#web/components/list/list-rows.tsx';
import { OpenedDialog } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { PayslipsButton, usePayslipsFile } from '#web/components/payslip/payslips-button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { fetchPayslips, payslipList } from './api.ts';
import type { PayRun, PayslipRow } from './schema.ts';
import type { RunPageSearch } from './search.ts';
import { SlipDialog } from './slip-dialog.tsx';

const columns: Column<PayslipRow>[] = [
  {
    header: 'Staff Name',
    card: 'title',
    sort: 'name',
    className: 'font-semibold',
    cell: (slip) => slip.staff.full_name,
  },
  moneyColumn('Gross', (slip) => slip.gross, { sort: 'gross' }),
  moneyColumn('Deductions', (slip) => slip.deductions),
  moneyColumn('Net', (slip) => slip.net, { sort: 'net', className: TOTAL }),
];

function AllPayslipsButton({ run }: { run: string }) {
  const file = usePayslipsFile((signal) => fetchPayslips(run, signal));
  return <PayslipsButton file={file} />;
}

type SlipListProps = {
  run: PayRun;
  search: RunPageSearch;
  onChange: ChangeSearch<RunPageSearch>;
};

export function SlipList({ run, search, onChange }: SlipListProps) {
  const filters = useMemo(() => ({ ...search, run: run.id }), [search, run.id]);
  const list = payslipList.useScreen(filters, onChange);
  return (
    <>
      <ListRows
        {...list}
        noMatch="No payslips match"
        Table={TableRows}
        columns={columns}
        opens
        toolbar={
          (run.status === 'locked' || run.status === 'paid') && <AllPayslipsButton run={run.id} />
        }
      />
      <OpenedDialog
        search={search}
        onChange={onChange}
        query={list.query}
        dialog={({ open, onClose }) => <SlipDialog id={open} onClose={onClose} />}
      />
    </>
  );
}
