import { everyRow } from '#web/lib/data/every-row.ts';
import { paymentsKey } from '#web/lib/data/keys.ts';
import { changeOne, existing } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { PayChannel } from '#web/lib/vocabulary/kinds.ts';
import { type FormatForm, type FormatRow, toRow } from './format-schema.ts';
import type { Lines } from './result-file.ts';
import { outcomeSchema, type Payment, type PaymentFile } from './schema.ts';

const LIVE = ['payments', 'pay_runs'] as const;

const fetchPayments = (runId: string) =>
  everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('payments')
      .select('*, staff!inner(full_name, user_id)')
      .eq('pay_run_id', runId)
      .order('staff(full_name)')
      .order('created_at')
      .order('id')
      .range(from, to)
      .returns<Payment[]>()
      .throwOnError();
    return data;
  });

async function fetchFiles(runId: string) {
  const { data } = await supabase()
    .from('payment_files')
    .select(
      'id, pay_run_id, number, channel, currency, line_count, control_total, sha256, created_at, author:profiles!created_by(full_name, email)',
    )
    .eq('pay_run_id', runId)
    .order('number', { ascending: false })
    .returns<PaymentFile[]>()
    .throwOnError();
  return data;
}

async function fetchRun(runId: string) {
  const [{ data: run }, payments, files] = await Promise.all([
    supabase()
      .from('pay_runs')
      .select('id, status, currency, period_start, period_end')
      .eq('id', runId)
      .maybeSingle()
      .throwOnError(),
    fetchPayments(runId),
    fetchFiles(runId),
  ]);
  return { run: existing(run, 'pay run'), payments, files };
}
export type RunPayments = Awaited<ReturnType<typeof fetchRun>>;

/** The payments and files of a run. The files change only together with the payments. */
export const useRunPayments = (runId: string) =>
  useLiveQuery(LIVE, paymentsKey, {
    queryKey: [...paymentsKey, runId],
    queryFn: () => fetchRun(runId),
  });

type NewFile = { runId: string; channel: PayChannel; currency: string };

async function createFile({ runId, channel, currency }: NewFile) {
  await requireUserId();
  const { data } = await supabase()
    .rpc('create_payment_file', { p_run_id: runId, p_channel: channel, p_currency: currency })
    .throwOnError();
  return data;
}

export const useCreateFile = () => useChange(paymentsKey, createFile);

export async function fetchContent(fileId: string): Promise<string> {
  const { data } = await supabase()
    .from('payment_files')
    .select('content')
    .eq('id', fileId)
    .maybeSingle()
    .throwOnError();
  return existing(data, 'payment file').content;
}

async function recordResult({ fileId, lines }: { fileId: string; lines: Lines }) {
  await requireUserId();
  const { data } = await supabase()
    .rpc('import_payment_result', { p_file_id: fileId, p_rows: [...lines] })
    .single()
    .throwOnError();
  return outcomeSchema.parse(data);
}

export const useRecordResult = () => useChange(paymentsKey, recordResult);

const formatsKey = [...paymentsKey, 'formats'];

async function fetchFormats(): Promise<FormatRow[]> {
  const { data } = await supabase()
    .from('payment_formats')
    .select()
    .order('channel')
    .order('currency', { ascending: false })
    .throwOnError();
  return data;
}

export const useFormats = () =>
  useLiveQuery('payment_formats', formatsKey, { queryKey: formatsKey, queryFn: fetchFormats });

async function saveFormat({ id, form }: { id: string; form: FormatForm }): Promise<void> {
  await changeOne(
    supabase().from('payment_formats').update(toRow(form)).eq('id', id),
    'payment format',
  );
}

export const useSaveFormat = () => useChange(formatsKey, saveFormat);
