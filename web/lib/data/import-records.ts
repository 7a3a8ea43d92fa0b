import type { QueryKey } from '@tanstack/react-query';
import { errorFrom } from '../errors/error-message.ts';
import type { ImportedRecord } from '../files/read-table.ts';
import { requireUserId } from '../session/auth.ts';
import { supabase } from '../supabase/client.ts';

type ImportTable =
  | 'bank_accounts'
  | 'clients'
  | 'financial_statements'
  | 'loans'
  | 'sites'
  | 'staff';

type Import = {
  table: ImportTable;
  rows: ImportedRecord[];
  /** Of the rows in the file, for messages about one. */
  numbers?: number[];
};

/** Tables that don't record who added a row. */
const WITHOUT_AUTHOR: readonly ImportTable[] = ['sites'];

function callImport({ table, rows, numbers }: Import, created_by: string) {
  const p_rows = WITHOUT_AUTHOR.includes(table)
    ? rows
    : rows.map((row) => ({ ...row, created_by }));
  return supabase().rpc('import_records', {
    p_table: table,
    p_rows,
    ...(numbers && { p_lines: numbers }),
  });
}

/** Adds all the rows or none. @returns how many were added */
export async function importRecords(records: Import): Promise<number> {
  const { data } = await callImport(records, await requireUserId()).throwOnError();
  return data;
}

/** Invented records of a list, to look at. */
export type Samples = {
  table: ImportTable;
  /** Root of the query keys that show these records. */
  key: QueryKey;
  load: () => Promise<ImportedRecord[]>;
  /** Column with the name of a record. */
  nameColumn: string;
  /** One and several. */
  nouns: readonly [string, string];
  /** @returns the title of the toast */
  success: (count: number) => string;
  /** The message when the server rejects them, mostly because they exist already. */
  failure: string;
};

/** Adds the records that `samples` has loaded. @returns how many were added */
export async function importSample(
  { table, failure }: Samples,
  rows: ImportedRecord[],
): Promise<number> {
  const userId = await requireUserId('User not authenticated');
  const { data, error } = await callImport({ table, rows }, userId);
  // Without a code there was no response, so the records may or may not exist.
  if (error && error.code === '') throw errorFrom(error);
  if (error) throw new Error(failure, { cause: error });
  return data;
}
