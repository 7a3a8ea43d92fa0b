// Adds the rows of a CSV file, all of them or none.

import { useChange } from '#web/lib/data/records.ts';
import type { ReadRow } from '#web/lib/files/csv.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { staffKey } from '../../../lib/data/keys.ts';

async function importStaff(rows: NonNullable<ReadRow['record']>[]): Promise<number> {
  const created_by = await requireUserId();
  const p_rows = rows.map((row) => ({ ...row, created_by }));
  const { data } = await supabase()
    .rpc('import_records', { p_table: 'staff', p_rows })
    .throwOnError();
  return data;
}

export const useImportStaff = () => useChange(staffKey, importStaff);
