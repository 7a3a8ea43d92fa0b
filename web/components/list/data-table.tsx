import { type Cell, useTable } from '@tanstack/react-table';
import { type ReactNode, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { Card } from '#web/components/ui/card.tsx';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import { cn } from '#web/lib/cn.ts';
import { type Column, features } from './columns.tsx';
import { directionOf, SortButton, type Sorting, SortSelect } from './sorting.tsx';
import { type Totals, TotalsCard, TotalsRow } from './totals.tsx';

type DataTableProps<Row extends object> = {
  /** What the rows are, for screen readers. */
  label: string;
  columns: Column<Row>[];
  rows: Row[];
  rowId: (row: Row) => string;
  /** Smaller and closer, for tables of many columns. */
  dense?: boolean;
  /** The width, in rem, below which the table would scroll sideways: there are cards then. */
  room?: number;
  /** Opens a row: its first cell becomes a button that reaches over the whole row. */
  onOpen?: (row: Row) => void;
  /** For a list with sortable columns (`meta.sort`). */
  sorting?: Sorting;
  /** Sums of all that the list holds, not of these rows alone. */
  totals?: Totals | undefined;
};

type RowCell<Row extends object> = Cell<typeof features, Row>;

function Opener({ onOpen, children }: { onOpen: (() => void) | undefined; children: ReactNode }) {
  if (!onOpen) return children;
  return (
    <button
      type="button"
      onClick={onOpen}
      className={cn(
        'inline-flex min-h-11 min-w-11 items-center text-left font-semibold underline-offset-4',
        'group-hover:underline after:absolute after:inset-0',
      )}
    >
      {children}
    </button>
  );
}

/** So many rows are drawn at once, the others right after they are seen. */
const FIRST = 10;

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, dense = false, room = 40, onOpen, sorting, totals } = props;
  const sortable = columns.flatMap(({ meta, header }) =>
    meta?.sort === undefined ? [] : [{ key: meta.sort, name: String(header ?? '') }],
  );
  const spacing = dense ? 'px-1.5 first:pl-4 last:pr-2' : 'px-4';
  const { ref, hasRoom } = useRoom(room);
  // On paper there is always a table.
  const isNarrow = useMediaQuery(`screen and (width ${hasRoom ? '< 64rem' : '> 0'})`);
  const table = useTable({ features, columns, data: rows, getRowId: rowId });
  const count = useDeferredValue(rows.length, FIRST);
  const shown = table.getRowModel().rows.slice(0, count);
  const drawn = shown.map((row) => ({
    id: row.id,
    cells: row.getAllCells(),
    open: onOpen && (() => onOpen(row.original)),
  }));
  const draw = (cell: RowCell<Row> | undefined) => cell && <table.FlexRender cell={cell} />;
  const placed = (cells: RowCell<Row>[], place: string) =>
    cells.filter(({ column }) => (column.columnDef.meta?.card ?? 'line') === place);

  if (isNarrow) {
    return (
      <div ref={ref}>
        {sorting && sortable.length > 0 && <SortSelect columns={sortable} {...sorting} />}
        <ul
          aria-label={label}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-3"
        >
          {drawn.map(({ id, cells, open }) => (
            <li key={id} className="min-w-0">
              <Card className="group relative flex h-full flex-col p-4">
                <div className="flex items-start justify-between gap-3">
                  <h3 className="-mt-1.5 min-w-0 font-semibold break-words">
                    <Opener onOpen={open}>{draw(placed(cells, 'title')[0])}</Opener>
                  </h3>
                  <div className="shrink-0 py-1">{draw(placed(cells, 'aside')[0])}</div>
                </div>
                {placed(cells, 'text').map((cell) => (
                  <div key={cell.id} className="text-[0.9375rem] break-words">
                    {draw(cell)}
                  </div>
                ))}
                <dl className="mt-2 grid gap-1 text-sm empty:hidden">
                  {placed(cells, 'line').map((cell) => (
                    <div key={cell.id} className="flex gap-2 has-[dd:empty]:hidden">
                      <dt className="shrink-0 text-muted">
                        {String(cell.column.columnDef.header ?? '')}
                      </dt>
                      <dd className="min-w-0 [overflow-wrap:anywhere]">{draw(cell)}</dd>
                    </div>
                  ))}
                </dl>
                {placed(cells, 'actions').map((cell) => (
                  <div
                    key={cell.id}
                    className="relative -mx-2 mt-auto -mb-2 flex justify-end pt-2 print:hidden"
                  >
                    {draw(cell)}
                  </div>
                ))}
              </Card>
            </li>
          ))}
        </ul>
        {totals && <TotalsCard columns={columns} totals={totals} />}
      </div>
    );
  }
  return (
    <div ref={ref}>
      <Card className="overflow-x-auto">
        <table
          aria-label={label}
          className={cn('w-full border-collapse text-left', dense ? 'text-sm' : 'text-[0.9375rem]')}
        >
          <thead className="bg-sunken text-sm">
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map((header) => {
                  const key = sorting && header.column.columnDef.meta?.sort;
                  return (
                    <th
                      key={header.id}
                      scope="col"
                      aria-sort={key === undefined ? undefined : directionOf(key, sorting?.sort)}
                      className={cn(
                        'py-3 font-semibold text-muted',
                        spacing,
                        header.column.columnDef.meta?.className,
                        header.column.columnDef.meta?.card === 'actions' &&
                          'sticky right-0 bg-sunken print:hidden',
                        'whitespace-normal',
                      )}
                    >
                      {sorting && key !== undefined ? (
                        <SortButton sortKey={key} {...sorting}>
                          <table.FlexRender header={header} />
                        </SortButton>
                      ) : (
                        <table.FlexRender header={header} />
                      )}
                    </th>
                  );
                })}
              </tr>
            ))}
          </thead>
          <tbody>
            {drawn.map(({ id, cells, open }) => (
              <tr key={id} className="group relative border-t border-line hover:bg-sunken/60">
                {cells.map((cell, index) => (
                  <td
                    key={cell.id}
                    className={cn(
                      'py-2 align-middle',
                      spacing,
                      cell.column.columnDef.meta?.className,
                      // In sight also where the table is wider than its place. Its buttons bring room of their own.
                      cell.column.columnDef.meta?.card === 'actions' &&
                        'sticky right-0 bg-raised px-0 last:pr-0 group-hover:bg-sunken print:hidden',
                    )}
                  >
                    {index === 0 ? <Opener onOpen={open}>{draw(cell)}</Opener> : draw(cell)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {totals && <TotalsRow columns={columns} totals={totals} spacing={spacing} />}
        </table>
      </Card>
    </div>
  );
}

/**
 * @param rem the least width, in rem
 * @returns a ref for the element whose width counts, and whether that is enough; yes, until it is measured
 */
export function useRoom(rem: number) {
  const ref = useRef<HTMLDivElement>(null);
  const [hasRoom, setRoom] = useState(true);
  // Before the first picture, so that no table flashes up where cards belong.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const least = rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const measure = () => {
      const width = element.clientWidth;
      if (width > 0) setRoom(width >= least);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [rem]);
  return { ref, hasRoom };
}
