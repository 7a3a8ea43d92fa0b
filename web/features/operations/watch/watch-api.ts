import { useQuery } from '@tanstack/react-query';
import { watchKey } from '#web/lib/data/keys.ts';
import { existing } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { parseFacts, peopleIn, type WatchFacts } from './watch-schema.ts';

const TABLES = ['watch_handovers', 'watch_corrections'] as const;

/** How far back the board looks for handovers that wait. */
export const WAITING_DAYS = 2;

const NAMES = `signer:profiles!watch_handovers_signed_by_fkey(full_name, email),
  accepter:profiles!watch_handovers_accepted_by_fkey(full_name, email)`;

/** Names of the people in the facts, by id. */
async function withNames(facts: WatchFacts) {
  const ids = peopleIn(facts);
  if (ids.length === 0) return { facts, names: new Map<string, string>() };
  const { data } = await supabase()
    .from('profiles')
    .select('id, full_name, email')
    .in('id', ids)
    .throwOnError();
  return { facts, names: new Map(data.map((person) => [person.id, formatName(person)])) };
}

async function fetchDraft() {
  const { data } = await supabase().rpc('watch_draft').single().throwOnError();
  return { from_at: data.from_at, ...(await withNames(parseFacts(data.facts))) };
}

/** The page of the watch as it would be signed now. */
export const useWatchDraft = () =>
  useQuery({ queryKey: [...watchKey, 'draft'], queryFn: fetchDraft, refetchInterval: 60_000 });

async function fetchWatch(id: string) {
  const { data } = await supabase()
    .from('watch_handovers')
    .select(
      `*, ${NAMES}, watch_corrections(id, body, created_at,
        author:profiles!watch_corrections_created_by_fkey(full_name, email))`,
    )
    .eq('id', id)
    .order('created_at', { referencedTable: 'watch_corrections' })
    .maybeSingle()
    .throwOnError();
  const { facts, ...handover } = existing(data, 'handover');
  return { ...handover, ...(await withNames(parseFacts(facts))) };
}

export type Watch = Awaited<ReturnType<typeof fetchWatch>>;

export const useWatch = (id: string) =>
  useLiveQuery(TABLES, watchKey, { queryKey: [...watchKey, id], queryFn: () => fetchWatch(id) });

async function fetchWatches(days: number) {
  const since = new Date(Date.now() - days * 24 * 3_600_000).toISOString();
  const { data } = await supabase()
    .from('watch_handovers')
    .select(`id, from_at, signed_at, signed_by, accepted_at, remarks, ${NAMES}`)
    .gte('signed_at', since)
    .order('signed_at', { ascending: false })
    .limit(1000)
    .throwOnError();
  return data;
}

export type WatchRow = Awaited<ReturnType<typeof fetchWatches>>[number];

/** Newest first. Nothing for a supervisor of some sites, who has no part in the watch. */
export const useWatches = (days: number) =>
  useLiveQuery('watch_handovers', watchKey, {
    queryKey: [...watchKey, 'list', days],
    queryFn: () => fetchWatches(days),
  });

/** @param id the same one again after a lost reply */
async function sign({ id, remarks }: { id: string; remarks: string }): Promise<void> {
  await supabase().rpc('sign_watch', { p_id: id, p_remarks: remarks }).throwOnError();
}

async function accept(id: string): Promise<void> {
  await supabase().rpc('accept_watch', { p_id: id }).throwOnError();
}

type Correction = { id: string; handoverId: string; body: string };

async function correct({ id, handoverId, body }: Correction): Promise<void> {
  await supabase()
    .rpc('correct_watch', { p_id: id, p_handover_id: handoverId, p_body: body })
    .throwOnError();
}

export const useSignWatch = () => useChange(watchKey, sign);
export const useAcceptWatch = () => useChange(watchKey, accept);
export const useCorrectWatch = () => useChange(watchKey, correct);
