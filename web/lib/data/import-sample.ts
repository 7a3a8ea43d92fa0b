// Adds bundled sample records, all of them or none.
import { errorFrom } from '../errors/error-message.ts';
import { supabase } from '../supabase/client.ts';

type ImportTable = 'clients' | 'financial_statements' | 'bank_accounts' | 'loans';

/**
 * @param failure what the person reads when it is refused, mostly because the records are there already
 * @returns how many were added
 */
export async function importSample(
  table: ImportTable,
  rows: Record<string, string | number | null>[],
  failure: string,
): Promise<number> {
  const { data: session } = await supabase().auth.getSession();
  if (!session.session) throw new Error('User not authenticated');
  const created_by = session.session.user.id;
  const p_rows = rows.map((row) => ({ ...row, created_by }));
  const { data, error } = await supabase().rpc('import_records', { p_table: table, p_rows });
  // A reply that never came says nothing about the records.
  if (error && error.code === '') throw errorFrom(error);
  if (error) throw new Error(failure, { cause: error });
  return data;
}
