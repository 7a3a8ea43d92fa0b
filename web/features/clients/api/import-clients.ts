// Adds many clients at once, all of them or none: the bundled sample, or the rows of a CSV file.
import { useCallback } from 'react';
import { importSample } from '#web/lib/data/import-sample.ts';
import { useChange } from '#web/lib/data/records.ts';
import type { ReadRow } from '#web/lib/files/read-csv.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { clientsKey } from '../../../lib/data/keys.ts';

export const useImportSampleClients = () =>
  useCallback(async () => {
    const { sampleClients } = await import('../sample.ts');
    return importSample(
      'clients',
      sampleClients,
      'Failed to import clients. Some clients may already exist.',
    );
  }, []);

async function importClients(rows: NonNullable<ReadRow['record']>[]): Promise<number> {
  const created_by = await requireUserId();
  const p_rows = rows.map((row) => ({ ...row, created_by }));
  const { data } = await supabase()
    .rpc('import_records', { p_table: 'clients', p_rows })
    .throwOnError();
  return data;
}

export const useImportClients = () => useChange(clientsKey, importClients);
