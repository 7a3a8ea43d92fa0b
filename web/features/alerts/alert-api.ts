import { queryOptions, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { alertsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { ALERT_KINDS } from '#web/lib/vocabulary/kinds.ts';

/** How long closed alerts are shown. */
export const CLOSED_HOURS = 12;

const COLUMNS = `id, kind, shift_id, site_id, detail, raised_at, escalations, acknowledged_at, closed_at, outcome, note,
  sites(name), acknowledger:profiles!alerts_acknowledged_by_fkey(full_name, email),
  closer:profiles!alerts_closed_by_fkey(full_name, email),
  guard:profiles!alerts_user_id_fkey(full_name, email, phone)`;

const typedSchema = z.object({
  kind: z.enum(ALERT_KINDS),
  outcome: z.enum(['covered', 'excused', 'closed', 'arrived', 'answered']).nullable(),
});

/** Open alerts that the list gets, the gravest; more are counted. */
const MOST_OPEN = 200;
const MOST_CLOSED = 100;

const fetchOpen = () =>
  supabase()
    .from('alerts')
    .select(COLUMNS, { count: 'exact' })
    .is('closed_at', null)
    .order('danger')
    .order('raised_at')
    .order('id')
    .limit(MOST_OPEN)
    .throwOnError();

function fetchClosed() {
  const since = new Date(Date.now() - CLOSED_HOURS * 3_600_000).toISOString();
  return supabase()
    .from('alerts')
    .select(COLUMNS, { count: 'exact' })
    .gte('closed_at', since)
    .order('closed_at', { ascending: false })
    .limit(MOST_CLOSED)
    .throwOnError();
}

type Answered = Awaited<ReturnType<typeof fetchOpen>>;

const partOf = ({ data, count }: Answered) => ({
  rows: data.map((row) => ({ ...row, ...typedSchema.parse(row) })),
  total: count ?? data.length,
});

async function fetchAlerts() {
  const [open, closed] = await Promise.all([fetchOpen(), fetchClosed()]);
  return { open: partOf(open), closed: partOf(closed) };
}

export type AlertPart = Awaited<ReturnType<typeof fetchAlerts>>['open'];

export type Alert = AlertPart['rows'][number];

/** Open alerts, the gravest first, and those closed in the last hours, the latest first. */
export const alertsQuery = queryOptions({ queryKey: alertsKey, queryFn: fetchAlerts });

export function useAlerts() {
  useLiveTable('alerts', alertsKey);
  return useQuery(alertsQuery);
}

async function acknowledge(id: string): Promise<void> {
  await supabase().rpc('acknowledge_alert', { p_alert_id: id }).throwOnError();
}

type Closing = { id: string; outcome: string; note: string };

async function close({ id, outcome, note }: Closing): Promise<void> {
  await supabase()
    .rpc('close_alert', { p_alert_id: id, p_outcome: outcome, p_note: note })
    .throwOnError();
}

async function reopen(id: string): Promise<void> {
  await supabase().rpc('reopen_alert', { p_alert_id: id }).throwOnError();
}

export const useAcknowledgeAlert = () => useChange(alertsKey, acknowledge);
export const useCloseAlert = () => useChange(alertsKey, close);
export const useReopenAlert = () => useChange(alertsKey, reopen);
