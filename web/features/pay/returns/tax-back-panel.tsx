// Income tax that locked runs withheld too much, because an earlier run of their month was voided since.
import { Link } from '@tanstack/react-router';
import { formatCount } from '#shared/count.ts';
import { formatMoney } from '#shared/money.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel } from '#web/components/ui/panel.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatMonths, formatPeriod } from '#web/lib/format/dates.ts';
import { type TaxedTooMuch, useGiveBack, useTaxTooMuch } from './tax-back-api.ts';

function Step({ row }: { row: TaxedTooMuch }) {
  const { mutateAsync } = useGiveBack();
  const { save, busy } = useSave({ failure: 'Not entered' });
  const name = `${row.full_name}, ${formatMonths(row.month, row.month)}`;
  if (row.adjustment_id !== null) {
    return (
      <Link
        to="/admin/payruns/adjustments"
        search={{ open: row.adjustment_id }}
        className={buttonStyles({ variant: 'secondary', className: 'mr-2' })}
      >
        To Decide<span className="sr-only">: {name}</span>
      </Link>
    );
  }
  const giveBack = () =>
    save(async () => {
      await mutateAsync(row);
      showSuccess('Adjustment added', 'Someone else decides it.');
    });
  return (
    <Button variant="secondary" className="mr-2" busy={busy} onClick={() => void giveBack()}>
      Give Back<span className="sr-only"> tax of {name}</span>
    </Button>
  );
}

const COLUMNS: Column<TaxedTooMuch>[] = [
  {
    header: 'Name',
    card: 'title',
    className: 'font-semibold',
    cell: (row) => (
      <>
        <PersonLink id={row.staff_id} name={row.full_name} />
        <SecondLine>{formatMonths(row.month, row.month)}</SecondLine>
      </>
    ),
  },
  {
    header: 'Pay Run',
    cell: ({ pay_run_id, period_start, period_end, run_status }) => (
      <>
        <Link to="/admin/payruns/$id" params={{ id: pay_run_id }} className={PAGE_LINK}>
          {formatPeriod(period_start, period_end)}
        </Link>
        <SecondLine>{run_status === 'paid' ? 'Paid' : 'Not paid: can be voided'}</SecondLine>
      </>
    ),
  },
  {
    header: 'Withheld',
    className: AMOUNT,
    cell: ({ withheld_lrd }) => formatMoney(withheld_lrd, 'LRD'),
  },
  { header: 'Due', className: AMOUNT, cell: ({ due_lrd }) => formatMoney(due_lrd, 'LRD') },
  {
    header: 'Too Much',
    className: `${AMOUNT} font-semibold`,
    cell: ({ amount, currency }) => formatMoney(amount, currency),
  },
  {
    header: 'Actions',
    card: 'actions',
    className: 'text-right',
    cell: (row) => <Step row={row} />,
  },
];

/** Of all months, for finance to put right; nothing without any. */
export function TaxBackPanel() {
  const { data: rows = [] } = useTaxTooMuch();
  if (rows.length === 0) return null;
  const people = new Set(rows.map(({ staff_id }) => staff_id)).size;
  return (
    <Panel title="Too Much Income Tax Withheld">
      <p className="mb-3 max-w-prose text-sm text-muted">
        {people === 1 ? '1 person' : `${formatCount(people)} people`}: an earlier pay run of the
        month was voided, and the run named here still counts it. Calculate the voided run again. If
        it is not to come back, void this run and calculate it again, or give the tax back: the next
        run then withholds less, once someone else has approved it.
      </p>
      <DataTable
        label="Too Much Income Tax Withheld"
        dense
        columns={COLUMNS}
        rows={rows}
        rowId={({ staff_id, month }) => `${staff_id} ${month}`}
        room={44}
      />
    </Panel>
  );
}
