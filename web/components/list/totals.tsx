// Column sums: a footer of the table, or a card below the cards.
import type { ReactNode } from 'react';
import { Card } from '#web/components/ui/card.tsx';
import { cn } from '#web/lib/cn.ts';
import type { Column } from './columns.tsx';

export type Totals = {
  /** For example "Total of 535". */
  label: string;
  /** Sums by the header of their column. */
  sums: Readonly<Record<string, ReactNode>>;
};

type TotalsProps<Row extends object> = { columns: Column<Row>[]; totals: Totals };

export function TotalsRow<Row extends object>(
  props: TotalsProps<Row> & { spacing: string; isSelectable: boolean },
) {
  const { columns, totals, spacing, isSelectable } = props;
  const found = columns.findIndex(({ header }) => header in totals.sums);
  // All columns with sums may be hidden.
  const first = found < 0 ? columns.length : found;
  return (
    <tfoot className="border-t-2 border-line-strong bg-sunken">
      <tr>
        {isSelectable && <td aria-hidden="true" className="print:hidden" />}
        <th scope="row" colSpan={first} className={cn('py-3 font-semibold', spacing)}>
          {totals.label}
        </th>
        {columns.slice(first).map(({ header, className, card }) => (
          <td
            key={header}
            className={cn(
              'py-3 align-top',
              spacing,
              className,
              // Smaller, so that the longest numbers don't widen the table.
              'text-xs tracking-tight',
              card === 'actions' && 'print:hidden',
            )}
          >
            {totals.sums[header]}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

export function TotalsCard<Row extends object>({ columns, totals }: TotalsProps<Row>) {
  return (
    <Card className="mt-3 bg-sunken p-4">
      <h3 className="font-semibold">{totals.label}</h3>
      <dl className="mt-2 grid gap-1 text-sm">
        {columns.map(
          ({ header }) =>
            header in totals.sums && (
              <div key={header} className="flex gap-2">
                <dt className="shrink-0 text-muted">{header}</dt>
                <dd className="min-w-0 tabular-nums">{totals.sums[header]}</dd>
              </div>
            ),
        )}
      </dl>
    </Card>
  );
}
