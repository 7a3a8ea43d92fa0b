import { type ColumnDef, createColumnHelper, tableFeatures } from '@tanstack/react-table';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#web/components/ui/button.tsx';

type ListColumnMeta = {
  /**
   * Where rows are cards: the title, beside the title, plain text under it, a line with the column's name (default),
   * or buttons at the foot.
   */
  card?: 'title' | 'aside' | 'line' | 'text' | 'actions';
  /** Of the cells in the table, for widths and alignment. */
  className?: string;
  /** The key of `sortField` by which this column orders the list; its heading becomes a button. */
  sort?: string;
};

const columnMeta: ListColumnMeta = {};
/** Sorting, filtering and paging happen in the database, so the table needs none of those features. */
export const features = tableFeatures({ columnMeta });

export type Column<Row extends object> = ColumnDef<typeof features, Row>;

/** Makes the columns of a list: `columnsOf<Client>((column) => [column.display({ … })])`. Call it outside components, or in a memo. */
export function columnsOf<Row extends object>(
  make: (helper: ReturnType<typeof createColumnHelper<typeof features, Row>>) => Column<Row>[],
): Column<Row>[] {
  return make(createColumnHelper<typeof features, Row>());
}

type RowActionsProps = {
  /** Names the row for screen readers: "Edit Musu Flomo". */
  name: string;
  onEdit: () => void;
  /** Without it there is no such button. */
  onDelete?: (() => void) | undefined;
  /** Further buttons, before Edit. */
  children?: ReactNode;
};

export function RowActions({ name, onEdit, onDelete, children }: RowActionsProps) {
  return (
    <div className="relative flex justify-end print:hidden">
      {children}
      <Button variant="ghost" size="icon" title="Edit" aria-label={`Edit ${name}`} onClick={onEdit}>
        <Pencil aria-hidden="true" className="size-4" />
      </Button>
      {onDelete && (
        <Button
          variant="danger-ghost"
          size="icon"
          title="Delete"
          aria-label={`Delete ${name}`}
          onClick={onDelete}
        >
          <Trash2 aria-hidden="true" className="size-4" />
        </Button>
      )}
    </div>
  );
}
