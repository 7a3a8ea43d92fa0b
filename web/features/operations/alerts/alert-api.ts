import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { ALERTS_KIND, ALERTS_OUTCOME } from '#shared/database.values.ts';
import { alertsKey } from '#web/lib/data/keys.ts';
import { toPage } from '#web/lib/data/pages.ts';
import { ofPlace, type Place } from '#web/lib/data/place.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** How long closed alerts are shown. */
export const CLOSED_HOURS = 12;

const COLUMNS = `id, kind, shift_id, site_id, detail, raised_at, escalations, acknowledged_at, closed_at, outcome, note,
  sites!inner(name), acknowledger:profiles!alerts_acknowledged_by_fkey(full_name, email),
  closer:profiles!alerts_closed_by_fkey(full_name, email),
  guard:profiles!alerts_user_id_fkey(full_name, email, phone)`;

const typedSchema = z.object({
  kind: z.enum(ALERTS_KIND),
  outcome: z.enum(ALERTS_OUTCOME).nullable(),
});

/** More are counted. */
const MOST_OPEN = 200;
const MOST_CLOSED = 100;

/** @param place undefined for every alert that the user may read */
function listed(place: Place | undefined) {
  const query = supabase().from('alerts').select(COLUMNS, { count: 'exact' });
  return place ? query.eq(...ofPlace(place)) : query;
}

/** @param isNew those that nobody has acknowledged, or the others. The gravest kinds first, the oldest of each first. */
const fetchOpen = (isNew: boolean, place: Place | undefined) =>
  listed(place)
    .is('closed_at', null)
    .filter('acknowledged_at', isNew ? 'is' : 'not.is', null)
    .order('danger')
    .order('raised_at')
    .order('id')
    .limit(MOST_OPEN)
    .throwOnError();

function fetchClosed(place: Place | undefined) {
  const since = new Date(Date.now() - CLOSED_HOURS * 3_600_000).toISOString();
  return listed(place)
    .gte('closed_at', since)
    .order('closed_at', { ascending: false })
    .limit(MOST_CLOSED)
    .throwOnError();
}

function partOf(answer: Awaited<ReturnType<typeof fetchClosed>>) {
  const { rows, total } = toPage(answer);
  return { rows: rows.map((row) => ({ ...row, ...typedSchema.parse(row) })), total };
}

async function fetchAlerts(place?: Place) {
  // Apart, so that acknowledged alerts stay in the list however many are new.
  const [unanswered, acknowledged, closed] = await Promise.all([
    fetchOpen(true, place),
    fetchOpen(false, place),
    fetchClosed(place),
  ]);
  const [first, second] = [partOf(unanswered), partOf(acknowledged)];
  return {
    open: { rows: [...first.rows, ...second.rows], total: first.total + second.total },
    closed: partOf(closed),
  };
}

export type Alert = ReturnType<typeof partOf>['rows'][number];

/** Open alerts, those that nobody has acknowledged first, and those closed in the last hours. */
const alertsAt = (place?: Place) =>
  queryOptions({
    queryKey: [...alertsKey, ...(place ? [place] : [])],
    queryFn: () => fetchAlerts(place),
  });

/** Of all sites that the user may read. */
export const alertsQuery = alertsAt();

/** @param place a site or client; without it, all that the user may read */
export const useAlerts = (place?: Place) => useLiveQuery('alerts', alertsKey, alertsAt(place));

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
