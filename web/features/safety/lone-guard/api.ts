import { queryOptions } from '@tanstack/react-query';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { PERSISTED, queryClient } from '#web/lib/cache/query-client.ts';
import { sosKey, welfareKey } from '#web/lib/data/keys.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function fetchChecks() {
  const { data } = await supabase()
    .rpc('my_welfare_checks', undefined, { get: true })
    .throwOnError();
  return data;
}

/** Live changes may not arrive, and a phone must learn of its first check. */
const REFETCH_MS = 300_000;

/** The signed-in guard's checks without an answer; also without a signal. */
export const useWelfareChecks = (userId: string) =>
  useLiveQuery(ownRows(userId, 'welfare_checks'), welfareKey, {
    queryKey: [...welfareKey, userId],
    queryFn: fetchChecks,
    refetchInterval: refetchEvery(REFETCH_MS),
    meta: PERSISTED,
  });

export type OpenSos = Awaited<ReturnType<typeof fetchOpenSos>>[number];

async function fetchOpenSos() {
  const { data } = await supabase().rpc('my_open_sos', undefined, { get: true }).throwOnError();
  return data;
}

/** Alerts of guards are not live for them: while one is open, its answer is asked for. */
const OPEN_SOS_MS = 10_000;

/** The guard's SOS that the control room has not closed, the newest first; also without a signal. */
export const openSosQuery = (userId: string) =>
  queryOptions({
    queryKey: [...sosKey, userId],
    queryFn: fetchOpenSos,
    refetchInterval: (query) =>
      refetchEvery(query.state.data?.length ? OPEN_SOS_MS : REFETCH_MS)(query),
    meta: PERSISTED,
  });

/** Shows an SOS that the server has just stored, until its own answer arrives. */
export function showSentSos(userId: string, sent: Pick<OpenSos, 'id' | 'raised_at'>): void {
  queryClient.setQueryData(openSosQuery(userId).queryKey, (known = []) =>
    known.some(({ id, last_id }) => id === sent.id || last_id === sent.id)
      ? known
      : [
          {
            ...sent,
            ...{ last_id: sent.id, last_at: sent.raised_at, received_at: sent.raised_at },
            ...{ site_name: null, timezone: null, gps: null, is_false_alarm: false },
            ...{ answered_at: null, answered_by: null },
          },
          ...known,
        ],
  );
  void queryClient.invalidateQueries({ queryKey: sosKey });
}
