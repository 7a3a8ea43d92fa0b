import { useQuery } from '@tanstack/react-query';
import { clientsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { readClientMonth } from '#web/lib/reports/client-month.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** @param month first day, yyyy-MM-dd */
async function fetchClientMonth(clientId: string, month: string) {
  const { data } = await supabase()
    .rpc('client_month', { p_client_id: clientId, p_month: month })
    .throwOnError();
  return readClientMonth(data);
}

export const useClientMonth = (clientId: string, month: string) =>
  useQuery({
    queryKey: [...clientsKey, 'month', clientId, month],
    queryFn: () => fetchClientMonth(clientId, month),
  });

async function saveReportEmail({ id, email }: { id: string; email: string }): Promise<void> {
  await supabase()
    .from('clients')
    .update({ report_email: orNull(email) })
    .eq('id', id)
    .throwOnError();
}

export const useSaveReportEmail = () => useChange(clientsKey, saveReportEmail);
