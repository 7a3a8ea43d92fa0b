import { type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { Card } from '#web/components/ui/card.tsx';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import { cn } from '#web/lib/cn.ts';
import type { Column } from './columns.tsx';
import type { Selection } from './selection.ts';
import {
  SelectButton,
  SelectCard,
  SelectPage,
  SelectRow,
  useLongPress,
} from './selection-controls.tsx';
import { findDirection, SortButton, type Sorting, SortSelect } from './sorting.tsx';
import { type Totals, TotalsCard, TotalsRow } from './totals.tsx';
import { useRoom } from './use-room.ts';

type DataTableProps<Row extends object> = {
  /** Names the table for screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string;
  /** Smaller text and padding, for tables of many columns. */
  dense?: boolean;
  /** Width in rem below which rows are shown as cards, because the table would scroll sideways. */
  room?: number;
  /** Makes the first cell a button that covers the whole row. */
  onOpen?: (row: Row) => void;
  /** For a list with sortable columns (`sort`). */
  sorting?: Sorting;
  /** Sums over all pages. */
  totals?: Totals | undefined;
  /** Makes rows selectable. */
  selection?: { store: Selection<Row>; nameOf: (row: Row) => string } | undefined;
};

const OPENER = cn(
  'inline-flex min-h-11 min-w-11 items-center text-left font-semibold underline-offset-4',
  'group-hover:underline after:absolute after:inset-0',
  'compact:block compact:max-w-full compact:min-h-8 compact:truncate',
);

function Opener({ onOpen, children }: { onOpen: (() => void) | undefined; children: ReactNode }) {
  if (!onOpen) return children;
  return (
    <button type="button" onClick={onOpen} className={OPENER}>
      {children}
    </button>
  );
}

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

function RowCards<Row extends object>(props: DataTableProps<Row>) {
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
                <h3 className={cn('min-w-0 flex-1 font-semibold break-words', onOpen && '-mt-1.5')}>
                  <Opener onOpen={onOpen && (() => onOpen(row))}>{title?.cell(row)}</Opener>
                </h3>
                <div className={cn('shrink-0 text-right', onOpen && 'py-1')}>
                  {aside?.cell(row)}
                </div>
              </div>
              {at('text').map(({ header, cell }) => (
                <div key={header} className="text-[0.9375rem] break-words">
                  {cell(row)}
                </div>
              ))}
              <dl className="mt-2 grid gap-1 text-sm empty:hidden">
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

/** 40 px, one line: long texts end in an ellipsis. */
const COMPACT_CELL = [
  'compact:h-10 compact:max-w-48 compact:truncate compact:py-0 compact:[&_.flex-wrap]:flex-nowrap',
  'compact:[&_.line-clamp-2]:block compact:[&_.line-clamp-2]:truncate',
];

/** @returns a ref for the element around a table, and whether the table is wider */
function useOverflow() {
  const ref = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    const table = element?.firstElementChild;
    if (!element || !table) return;
    const observer = new ResizeObserver(() => setWide(table.clientWidth > element.clientWidth));
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return { ref, isWide };
}

function RowTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, dense = false, onOpen, sorting, totals, selection } = props;
  const spacing = dense
    ? 'px-1.5 first:pl-4 last:pr-2 compact:px-1 compact:first:pl-2'
    : 'px-4 compact:px-2';
  const { ref, isWide } = useOverflow();
  // Joined once for all rows.
  const cells = columns.map(({ className, card }) =>
    cn(
      'py-2 align-middle',
      COMPACT_CELL,
      spacing,
      className,
      // Stays visible when the table is wider than the screen. Its buttons have their own padding; the card would cut a ring of focus
      // around the last one.
      card === 'actions' &&
        'px-0 last:pr-0 print:hidden compact:overflow-visible [&_:focus-visible]:-outline-offset-3',
      isWide &&
        card === 'actions' &&
        'sticky right-0 bg-raised group-hover:bg-sunken group-has-[[data-row]:checked]:bg-chosen',
    ),
  );
  return (
    // A scroll container only where it must be one: inside it the heading couldn't stick to the screen.
    // On paper it hides nothing, so that the browser shrinks the page until the table fits.
    <Card
      ref={ref}
      className={cn(
        'print:overflow-visible',
        isWide ? 'overflow-x-auto [--top-bar:auto]' : 'overflow-x-clip',
      )}
    >
      <table
        aria-label={label}
        className={cn(
          'w-full border-collapse text-left compact:text-[0.8125rem]',
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
            {columns.map(({ header, className, card, sort }) => (
              <th
                key={header}
                scope="col"
                aria-sort={sorting && sort ? findDirection(sort, sorting.sort) : undefined}
                className={cn(
                  'sticky top-(--top-bar,0px) z-10 bg-sunken py-2 font-semibold text-muted compact:py-1',
                  spacing,
                  className,
                  isWide && card === 'actions' && 'right-0 z-20',
                  card === 'actions' && 'print:hidden',
                  'whitespace-normal compact:whitespace-normal',
                )}
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

/** Rows of the first render, as many as fit a screen of 800 px; the others follow in a deferred render. */
const FIRST_ROWS = 9;

/** A table, or a card per row where there is no room for it. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, room = 40 } = props;
  const { ref, hasRoom } = useRoom(room);
  // On paper there is always a table.
  const isNarrow = useMediaQuery(`screen and (width ${hasRoom ? '< 64rem' : '> 0'})`);
  const rendered = rows.slice(0, useDeferredValue(rows.length, FIRST_ROWS));
  const Rows = isNarrow ? RowCards : RowTable;
  return (
    <div ref={ref}>
      <Rows {...props} rows={rendered} />
    </div>
  );
}
