import { type ComponentProps, type ReactNode, useEffect, useMemo } from 'react';
import { optionalColumns, useHiddenColumns, useListPath } from '#web/lib/views/saved-views.ts';
import { actionsColumn, type Column } from './columns.tsx';
import type { Addressed } from './filters.tsx';
import type { BulkActions } from './list-actions.ts';
import { PagedTable } from './paged-table.tsx';
import type { Totals } from './totals.tsx';

/** All stable, because the columns are memoized with them. */
export type RowActions<Row> = {
  /** Names the row for screen readers: "Edit Musu Flomo". */
  nameOf: (row: Row) => string;
  onDelete?: (row: Row) => void;
  /** Further buttons, before Edit. */
  more?: (row: Row) => ReactNode;
};

export type TableOptions<Row> = {
  columns: Column<Row>[];
  /** A last column with Edit, which opens the row's form, and Delete. */
  actions?: RowActions<Row> | undefined;
  /** Needs `source`. */
  bulk?: BulkActions<Row> | undefined;
  dense?: boolean | undefined;
  room?: number | undefined;
  isUsuallyCards?: boolean | undefined;
  totals?: Totals | undefined;
  /** Pressing a row opens its dialog. */
  opens?: boolean | undefined;
};

/** Whether the user may hide a column. Cards have the title, and the row its buttons. */
const isOptional = ({ card }: Pick<Column<object>, 'card'>, at: number) =>
  at > 0 && card !== 'title' && card !== 'actions';

type TableRowsProps<Row extends { id: string }> = TableOptions<Row> &
  Pick<Addressed, 'onChange'> &
  Omit<ComponentProps<typeof PagedTable<Row>>, 'rowId' | 'onOpen' | 'onChange'>;

export function TableRows<Row extends { id: string }>(props: TableRowsProps<Row>) {
  const { columns, actions, opens, ...table } = props;
  const { onChange } = props;
  const { nameOf, onDelete, more } = actions ?? {};
  const list = useListPath();
  const hidden = useHiddenColumns(props.query.isSuccess);
  useEffect(() => {
    if (list !== undefined)
      optionalColumns.set(
        list,
        columns.filter(isOptional).map(({ header }) => header),
      );
  }, [list, columns]);
  const shown = useMemo(() => {
    const chosen = columns.filter(
      (column, at) => !isOptional(column, at) || !hidden.includes(column.header),
    );
    if (!nameOf) return chosen;
    const last = actionsColumn((row: Row) => ({
      name: nameOf(row),
      onEdit: () => onChange({ open: row.id }),
      onDelete: onDelete && (() => onDelete(row)),
      children: more?.(row),
    }));
    return [...chosen, last];
  }, [columns, hidden, nameOf, onDelete, more, onChange]);
  return (
    <PagedTable
      // Widths are measured by the place of a column.
      key={hidden.join('\n')}
      {...table}
      columns={shown}
      rowId={({ id }) => id}
      onOpen={opens ? ({ id }) => onChange({ open: id }) : undefined}
    />
  );
}
