import type { ReactNode } from 'react';
import { Card } from '#web/components/ui/card.tsx';
import { cn } from '#web/lib/cn.ts';
import type { Column } from './columns.tsx';
import { Opener } from './row-opener.tsx';
import { SelectButton, SelectCard, useLongPress } from './selection-controls.tsx';
import { SortSelect } from './sorting.tsx';
import type { DataTableProps } from './table-props.ts';
import { TotalsCard } from './totals.tsx';

type CardItemProps = { onLongPress: (() => void) | undefined; children: ReactNode };

function CardItem({ onLongPress, children }: CardItemProps) {
  const press = useLongPress(() => onLongPress?.());
  if (!onLongPress) return <li className="min-w-0">{children}</li>;
  return (
    <li className="min-w-0 pointer-coarse:select-none" {...press}>
      {children}
    </li>
  );
}

export function RowCards<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, onOpen, sorting, totals, selection } = props;
  const at = (place: Column<Row>['card']) => columns.filter(({ card = 'line' }) => card === place);
  const [title] = at('title');
  const [aside] = at('aside');
  const sortable = columns.flatMap(({ sort, header }) =>
    sort === undefined ? [] : [{ key: sort, name: header }],
  );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3 empty:hidden print:hidden">
        {sorting && sortable.length > 0 && <SortSelect columns={sortable} {...sorting} />}
        {selection && <SelectButton selection={selection.store} />}
      </div>
      <ul
        aria-label={label}
        data-tight
        data-cards
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-3"
      >
        {rows.map((row) => (
          <CardItem
            key={rowId(row)}
            onLongPress={selection && (() => selection.store.start(rowId(row)))}
          >
            <Card className="group relative flex h-full flex-col p-4 has-[[data-row]:checked]:bg-chosen has-[[data-row]:checked]:outline-2 has-[[data-row]:checked]:outline-accent-fill">
              <div className="flex items-start gap-3">
                {selection && (
                  <SelectCard
                    selection={selection.store}
                    id={rowId(row)}
                    name={selection.nameOf(row)}
                  />
                )}
                <h3
                  className={cn(
                    'min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]',
                    onOpen && '-mt-1.5',
                  )}
                >
                  <Opener onOpen={onOpen && (() => onOpen(row))}>{title?.cell(row)}</Opener>
                </h3>
                <div className={cn('max-w-3/4 shrink-0 text-right', onOpen && 'py-1')}>
                  {aside?.cell(row)}
                </div>
              </div>
              {at('text').map(({ header, cell }) => (
                <div key={header} className="text-[0.9375rem] [overflow-wrap:anywhere]">
                  {cell(row)}
                </div>
              ))}
              <dl className="mt-2 grid grid-cols-1 gap-1 text-sm empty:hidden">
                {at('line').map(({ header, cell }) => (
                  <div key={header} className="flex gap-2 has-[dd:empty]:hidden">
                    <dt className="shrink-0 text-muted">{header}</dt>
                    <dd className="min-w-0 [overflow-wrap:anywhere]">{cell(row)}</dd>
                  </div>
                ))}
              </dl>
              {at('actions').map(({ header, cell }) => (
                <div
                  key={header}
                  // A tap selects the card, as long as it has a checkbox.
                  className="relative -mx-2 mt-auto -mb-2 flex justify-end pt-2 group-has-[[data-row]]:invisible print:hidden"
                >
                  {cell(row)}
                </div>
              ))}
            </Card>
          </CardItem>
        ))}
      </ul>
      {totals && <TotalsCard columns={columns} totals={totals} />}
    </>
  );
}
