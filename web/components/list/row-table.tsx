import { Card } from '#web/components/ui/card.tsx';
import { cn } from '#web/lib/cn.ts';
import { Opener } from './row-opener.tsx';
import { SelectPage, SelectRow } from './selection-controls.tsx';
import { findDirection, SortButton } from './sorting.tsx';
import type { DataTableProps } from './table-props.ts';
import { TotalsRow } from './totals.tsx';
import { type Fit, NARROWEST } from './use-fit.ts';

/** 40 px, one line: long texts end in an ellipsis. */
const COMPACT_CELL = 'compact:h-10 compact:py-0';
const ONE_LINE = [
  'compact:max-w-48 compact:truncate compact:[&_.flex-wrap]:flex-nowrap',
  'compact:[&_.line-clamp-2]:block compact:[&_.line-clamp-2]:truncate',
];

/** What is left to a text beside figures and badges, which never wrap. */
const TIGHT_CELL = 'max-w-72';

export function RowTable<Row extends object>(props: DataTableProps<Row> & { fit: Fit }) {
  const { label, columns, rows, rowId, onOpen, sorting, totals, selection, fit } = props;
  const isTight = fit.kind !== 'natural';
  const dense = props.dense || isTight;
  const leastOf = (index: number) =>
    isTight ? Math.min(fit.least, fit.contents[index] ?? 0) : undefined;
  const spacing = dense
    ? 'px-1.5 first:pl-4 last:pr-2 compact:px-1 compact:first:pl-2'
    : 'px-4 compact:px-2';
  // Joined once for all rows.
  const cells = columns.map(({ className, card }) =>
    cn(
      'py-2 align-middle',
      isTight && !className?.includes('whitespace-nowrap') && TIGHT_CELL,
      COMPACT_CELL,
      // Two lines are better than no table.
      !(isTight && fit.least === NARROWEST) && ONE_LINE,
      spacing,
      className,
      // Its buttons have their own padding; the card would cut a ring of focus around the last one.
      card === 'actions' &&
        'px-0 last:pr-0 print:hidden compact:overflow-visible [&_:focus-visible]:-outline-offset-3',
    ),
  );
  return (
    // No scroll container: inside it the heading couldn't stick to the screen.
    // On paper it hides nothing, so that the browser shrinks the page until the table fits.
    <Card className="overflow-x-clip print:overflow-visible">
      <table
        aria-label={label}
        data-tight={isTight || undefined}
        className={cn(
          'w-full border-collapse text-left data-tight:[overflow-wrap:anywhere] compact:text-[0.8125rem]',
          dense ? 'text-sm' : 'text-[0.9375rem]',
        )}
      >
        <thead className="bg-sunken text-sm">
          <tr>
            {selection && (
              <td className="sticky top-(--top-bar,0px) z-10 w-11 bg-sunken pl-3 compact:w-7 compact:pl-1 print:hidden">
                <SelectPage selection={selection.store} />
              </td>
            )}
            {columns.map(({ header, className, card, sort }, index) => (
              <th
                key={header}
                scope="col"
                aria-sort={sorting && sort ? findDirection(sort, sorting.sort) : undefined}
                className={cn(
                  'sticky top-(--top-bar,0px) z-10 bg-sunken py-2 font-semibold text-muted compact:py-1',
                  spacing,
                  className,
                  card === 'actions' && 'print:hidden',
                  'box-content whitespace-normal [overflow-wrap:normal] compact:whitespace-normal',
                )}
                style={{ minWidth: leastOf(index) }}
              >
                {sorting && sort ? (
                  <SortButton sortKey={sort} {...sorting}>
                    {header}
                  </SortButton>
                ) : (
                  header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowId(row)}
              className="group relative border-t border-line hover:bg-sunken/60 has-[[data-row]:checked]:bg-chosen"
            >
              {selection && (
                <td className="relative z-1 w-11 pl-3 compact:w-7 compact:pl-1 print:hidden">
                  <SelectRow
                    selection={selection.store}
                    id={rowId(row)}
                    name={selection.nameOf(row)}
                  />
                </td>
              )}
              {columns.map(({ header, cell }, index) => (
                <td key={header} className={cells[index]}>
                  {index === 0 ? (
                    <Opener onOpen={onOpen && (() => onOpen(row))}>{cell(row)}</Opener>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {totals && (
          <TotalsRow
            columns={columns}
            totals={totals}
            spacing={spacing}
            isSelectable={selection !== undefined}
          />
        )}
      </table>
    </Card>
  );
}
