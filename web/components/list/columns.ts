// How a list describes its columns: TanStack Table's definitions, and where each cell goes on a phone.
import { type ColumnDef, createColumnHelper, tableFeatures } from '@tanstack/react-table';

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
