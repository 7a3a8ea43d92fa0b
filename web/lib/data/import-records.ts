import { errorFrom } from '../errors/error-message.ts';
import { requireUserId } from '../session/auth.ts';
import { supabase } from '../supabase/client.ts';

type ImportTable = 'bank_accounts' | 'clients' | 'financial_statements' | 'loans' | 'staff';
type ImportRow = Record<string, string | number | null>;

function callImport(table: ImportTable, rows: ImportRow[], created_by: string) {
  const p_rows = rows.map((row) => ({ ...row, created_by }));
  return supabase().rpc('import_records', { p_table: table, p_rows });
}

/** Adds all the rows or none. @returns how many were added */
export async function importRecords(table: ImportTable, rows: ImportRow[]): Promise<number> {
  const { data } = await callImport(table, rows, await requireUserId()).throwOnError();
  return data;
}

/**
 * Adds the bundled sample records.
 * @param failure the message when the server rejects them, mostly because they exist already
 */
export async function importSample(
  table: ImportTable,
  rows: ImportRow[],
  failure: string,
): Promise<number> {
  const userId = await requireUserId('User not authenticated');
  const { data, error } = await callImport(table, rows, userId);
  // Without a code there was no response, so the records may or may not exist.
  if (error && error.code === '') throw errorFrom(error);
  if (error) throw new Error(failure, { cause: error });
  return data;
}
