// The monthly report of a client.
import { useQuery } from '@tanstack/react-query';
import { format, parseISO, subMonths } from 'date-fns';
import { type ClientMonth, clientMonthSchema } from '#shared/documents/client-month.ts';
import { clientsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { download } from '#web/lib/files/download.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const MONTHS = 13;

/** @param today yyyy-MM-dd @returns first days of the last months, the present one first */
export function recentMonths(today: string): string[] {
  const first = parseISO(`${today.slice(0, 7)}-01`);
  return Array.from({ length: MONTHS }, (_, back) => format(subMonths(first, back), 'yyyy-MM-dd'));
}

async function fetchMonth(clientId: string, month: string): Promise<ClientMonth> {
  const { data } = await supabase()
    .rpc('client_month', { p_client_id: clientId, p_month: month })
    .throwOnError();
  return clientMonthSchema.parse(data);
}

export const useClientMonth = (clientId: string, month: string) =>
  useQuery({
    queryKey: [...clientsKey, 'month', clientId, month],
    queryFn: () => fetchMonth(clientId, month),
  });

/** The PDF library loads on demand. */
export async function downloadMonth(month: ClientMonth): Promise<void> {
  const { clientMonthPdf } = await import('#shared/documents/client-month-pdf.ts');
  const name = month.client.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  download(
    `monthly-report-${name}-${month.from.slice(0, 7)}.pdf`,
    clientMonthPdf(month).pdf.output('blob'),
  );
}

async function saveReportEmail({ id, email }: { id: string; email: string }): Promise<void> {
  await supabase()
    .from('clients')
    .update({ report_email: orNull(email) })
    .eq('id', id)
    .throwOnError();
}

export const useSaveReportEmail = () => useChange(clientsKey, saveReportEmail);
