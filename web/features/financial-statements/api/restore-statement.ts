// Puts back a financial statement that was deleted: the same row with the same id.
import { useChange } from '#web/lib/data/records.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { statementsKey } from '../../../lib/data/keys.ts';
import type { Statement } from '../schema.ts';

async function restoreStatement(row: Statement): Promise<void> {
  await supabase().from('financial_statements').insert(row).throwOnError();
}

export const useRestoreStatement = () => useChange(statementsKey, restoreStatement);
