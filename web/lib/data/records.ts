import { keepPreviousData, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { readErrorCode } from '../errors/error-message.ts';
import { useLiveTable } from '../realtime/use-live-table.ts';
import { requireUserId } from '../session/auth.ts';
import { everyRow } from './every-row.ts';
import type { Page } from './pages.ts';
import {
  type Insert,
  type RecordTable,
  type Row,
  recordTables,
  type Update,
} from './record-tables.ts';
import { useChange } from './use-change.ts';

/** @throws when an update or delete matched no row: it has been deleted, or row-level security hides it */
export function existing<Row>(row: Row | null, name: string): Row {
  if (row === null) throw new Error(`This ${name} no longer exists, or you may not change it.`);
  return row;
}

type RowChange = {
  select(columns: 'id'): {
    maybeSingle(): { throwOnError(): PromiseLike<{ data: { id: string } | null }> };
  };
};

/** Makes a change of one row, and throws if the row is gone. */
export async function changeOne(change: RowChange, name: string): Promise<void> {
  const { data } = await change.select('id').maybeSingle().throwOnError();
  existing(data, name);
}

/** `toNewRow` of tables that store who added a row. */
export const withAuthor = <Columns extends object>(columns: Columns, created_by: string) => ({
  ...columns,
  created_by,
});

/** `toNewRow` of tables that don't. */
export const withoutAuthor = <Columns extends object>(columns: Columns) => columns;

type ChangeOptions<Table extends RecordTable, Form, Columns extends Update<Table>> = {
  table: Table;
  /** Root of the query keys that show these records. Every change invalidates all of them. */
  key: QueryKey;
  /** For error messages, for example "bank account". */
  name: string;
  toColumns: (form: Form) => Columns;
  toNewRow: (columns: Columns, userId: string) => Insert<Table>;
  /** Shown when a title or number is taken already (unique violation). */
  duplicate?: string;
};

type RecordOptions<
  Table extends RecordTable,
  Form,
  Columns extends Update<Table>,
  Shown extends Row<Table>,
> = ChangeOptions<Table, Form, Columns> & {
  /** Columns of `Shown`, if the form shows more than the table's own. */
  columns?: string;
  schema: z.ZodType<Form, Form>;
  /** The form filled with a stored record; empty without one. */
  toForm: (row?: Shown) => Form;
  /** Order of `useFirst` and `fetchAll`; the id breaks ties. */
  order?: { column: keyof Row<Table> & string; ascending: boolean }[];
};

type Save<Form> = {
  /** Id of the record to update; undefined for a new one. */
  id: string | undefined;
  form: Form;
};

/** The mutations of `recordHooks`, for tables whose reads are their own. */
export function recordChanges<Table extends RecordTable, Form, Columns extends Update<Table>>(
  options: ChangeOptions<Table, Form, Columns>,
) {
  const { table, key, name, toColumns, toNewRow, duplicate } = options;
  const query = () => recordTables[table]();

  /** @returns the id */
  async function save({ id, form }: Save<Form>): Promise<string> {
    const userId = await requireUserId();
    const columns = toColumns(form);
    const change =
      id === undefined
        ? query().insert(toNewRow(columns, userId)).select('id')
        : query().update(columns).eq('id', id).select('id');
    try {
      const { data } = await change.maybeSingle().throwOnError();
      return existing(data, name).id;
    } catch (error) {
      if (duplicate !== undefined && readErrorCode(error) === '23505') throw new Error(duplicate);
      throw error;
    }
  }

  /** @returns the deleted row, for `restore`; null when someone else had deleted it before */
  async function remove(id: string): Promise<Row<Table> | null> {
    const { data } = await query().delete().eq('id', id).select().maybeSingle().throwOnError();
    return data;
  }

  /** Inserts the deleted row again: same id, same author. */
  async function restore(row: Row<Table>): Promise<void> {
    await query().insert(row).throwOnError();
  }

  return {
    name,
    useSave: () => useChange(key, save),
    useDelete: () => useChange(key, remove),
    useRestore: () => useChange(key, restore),
  };
}

/**
 * Queries and mutations of the records of one table. Call it once, at module level:
 * `export const expenses = recordHooks({ table: 'expense_reports', … })`, then `expenses.useSave()` in a component.
 */
export function recordHooks<
  Table extends RecordTable,
  Form,
  Columns extends Update<Table>,
  Shown extends Row<Table> = Row<Table>,
>(options: RecordOptions<Table, Form, Columns, Shown>) {
  const { table, columns: shown = '*', schema, toForm, key, order = [] } = options;
  const query = () => recordTables[table]();

  function inOrder() {
    const all = query().select('*', { count: 'exact' });
    return [...order, { column: 'id', ascending: true }].reduce(
      (sorted, { column, ascending }) => sorted.order(column, { ascending }),
      all,
    );
  }

  async function fetchFirst(limit: number): Promise<Page<Row<Table>>> {
    const { data, count } = await inOrder().limit(limit).throwOnError();
    return { rows: data, total: count ?? data.length };
  }

  async function fetchOne(id: string): Promise<Shown | null> {
    const { data } = await query()
      .select(shown, { count: 'exact' })
      .eq('id', id)
      .maybeSingle<Shown>()
      .throwOnError();
    return data;
  }

  const firstQuery = (limit: number) =>
    queryOptions({
      queryKey: [...key, { limit }],
      queryFn: () => fetchFirst(limit),
      placeholderData: keepPreviousData,
    });

  return {
    ...recordChanges(options),
    schema,
    toForm,
    firstQuery,
    /** The first rows of a list that grows, refreshed live. */
    useFirst(limit: number) {
      useLiveTable(table, key);
      return useQuery(firstQuery(limit));
    },
    /**
     * One record; its data is null when it does not exist.
     * @param known as a list shows it, until the query has answered
     */
    useOne: (id: string, known: Shown | undefined) =>
      useQuery<{ record: Shown | null }, Error, Shown | null>({
        queryKey: [...key, 'one', id],
        // Wrapped, because the types of placeholderData do not take a bare generic row.
        queryFn: async () => ({ record: await fetchOne(id) }),
        placeholderData: known && { record: known },
        select: ({ record }) => record,
      }),
    fetchAll: () =>
      everyRow(async (from, to) => (await inOrder().range(from, to).throwOnError()).data),
  };
}
