import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { PAY_ITEM_RULES_KIND } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { ADJUSTMENT_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import type { DueItem, ItemKind } from './item-rule-schema.ts';
import { DUE_PAGE_SIZE, useDueItems, useEnterItems } from './items-api.ts';

const COLUMNS: Column<DueItem>[] = [
  {
    header: 'Staff Name',
    card: 'title',
    cell: ({ full_name, explanation }) => (
      <>
        <span className="font-semibold">{full_name}</span>
        <SecondLine wraps>{explanation}</SecondLine>
      </>
    ),
  },
  {
    header: 'Period',
    className: 'whitespace-nowrap',
    cell: (row) => formatPayPeriod(row.period_start, row.period_end),
  },
  { header: 'Income Tax', cell: ({ taxable }) => (taxable ? 'Taxed' : 'Not taxed') },
  {
    header: 'Amount',
    className: `${AMOUNT} font-semibold`,
    cell: (row) => formatMoney(row.amount, row.currency === 'LRD' ? 'LRD' : 'USD'),
  },
];

const TITLES: Record<ItemKind, string> = {
  severance: 'Severance to Enter',
  thirteenth_month: 'Thirteenth Month to Enter',
};

const describeEntered = (count: number) =>
  count === 1 ? '1 adjustment added' : `${formatCount(count)} adjustments added`;

function EnterButton({ kind, row }: { kind: ItemKind; row: DueItem }) {
  const { mutateAsync } = useEnterItems();
  const { save, busy } = useSave({ failure: 'Not entered' });
  const enter = () =>
    save(async () => {
      const count = await mutateAsync({ kind, staffId: row.staff_id });
      showSuccess(describeEntered(count), 'Someone else decides it.');
    });
  return (
    <Button
      variant="secondary"
      className="mr-2"
      aria-label={`Enter ${ADJUSTMENT_KIND_LABELS[kind]} of ${row.full_name}`}
      busy={busy}
      onClick={() => void enter()}
    >
      Enter
    </Button>
  );
}

function DueOf({ kind }: { kind: ItemKind }) {
  const [page, setPage] = useState(1);
  const query = useDueItems(kind, page);
  const { mutateAsync } = useEnterItems();
  const { save, busy } = useSave({ failure: 'Not entered' });
  const enterAll = () =>
    save(async () => {
      showSuccess(describeEntered(await mutateAsync({ kind })), 'Someone else decides them.');
      setPage(1);
    });
  const name = ADJUSTMENT_KIND_LABELS[kind];
  if (query.isError) {
    return (
      <Alert
        tone="danger"
        title={`${name} could not be loaded`}
        action={
          <Button variant="secondary" onClick={() => void query.refetch()}>
            Try Again
          </Button>
        }
      />
    );
  }
  const { rows = [], total = 0 } = query.data ?? {};
  if (total === 0) return null;
  return (
    <Panel title={TITLES[kind]}>
      <DataTable
        label={TITLES[kind]}
        dense
        columns={[
          ...COLUMNS,
          {
            header: 'Actions',
            card: 'actions',
            className: 'text-right',
            cell: (row: DueItem) => <EnterButton kind={kind} row={row} />,
          },
        ]}
        rows={rows}
        rowId={({ staff_id, currency }) => `${staff_id} ${currency}`}
      />
      <Pager page={page} pageSize={DUE_PAGE_SIZE} total={total} onPage={setPage} />
      {total > 1 && (
        <Button className="mt-4" busy={busy} onClick={() => void enterAll()}>
          Enter All
        </Button>
      )}
    </Panel>
  );
}

/** What rules make due and nobody has entered yet. */
export function ItemsDue() {
  return (
    <div className="mb-6 grid gap-4 empty:hidden">
      {PAY_ITEM_RULES_KIND.map((kind) => (
        <DueOf key={kind} kind={kind} />
      ))}
    </div>
  );
}
