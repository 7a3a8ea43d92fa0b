import { errorFrom } from '../errors/error-message.ts';
import type { ImportedRecord } from '../files/read-csv.ts';
import { requireUserId } from '../session/auth.ts';
import { supabase } from '../supabase/client.ts';

type ImportTable = 'bank_accounts' | 'clients' | 'financial_statements' | 'loans' | 'staff';

type Import = {
  table: ImportTable;
  rows: ImportedRecord[];
  /** Of the file, for messages about a row. */
  lines?: number[];
};

function callImport({ table, rows, lines }: Import, created_by: string) {
  const p_rows = rows.map((row) => ({ ...row, created_by }));
  return supabase().rpc('import_records', {
    p_table: table,
    p_rows,
    ...(lines && { p_lines: lines }),
  });
}

/** Adds all the rows or none. @returns how many were added */
export async function importRecords(records: Import): Promise<number> {
  const { data } = await callImport(records, await requireUserId()).throwOnError();
  return data;
}

/**
 * Adds the bundled sample records.
 * @param failure the message when the server rejects them, mostly because they exist already
 */
export async function importSample(
  table: ImportTable,
  rows: ImportedRecord[],
  failure: string,
): Promise<number> {
  const userId = await requireUserId('User not authenticated');
  const { data, error } = await callImport({ table, rows }, userId);
  // Without a code there was no response, so the records may or may not exist.
  if (error && error.code === '') throw errorFrom(error);
  if (error) throw new Error(failure, { cause: error });
  return data;
}
