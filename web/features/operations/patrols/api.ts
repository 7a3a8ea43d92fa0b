import { keepPreviousData } from '@tanstack/react-query';
import { z } from 'zod';
import { CHECKPOINT_SCANS_FLAGS } from '#shared/database.values.ts';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { patrolsKey } from '#web/lib/data/keys.ts';
import { recordHooks, withoutAuthor } from '#web/lib/data/records.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import {
  checkpointRow,
  checkpointSchema,
  toCheckpointForm,
  toTourForm,
  tourRow,
  tourSchema,
} from './schema.ts';

const TABLES = ['checkpoints', 'tours', 'checkpoint_scans'] as const;

export const checkpointRecords = (siteId: string) =>
  recordHooks({
    table: 'checkpoints',
    key: patrolsKey,
    name: 'checkpoint',
    schema: checkpointSchema,
    toForm: toCheckpointForm(siteId),
    toColumns: checkpointRow,
    toNewRow: withoutAuthor,
  });

export const tourRecords = (siteId: string) =>
  recordHooks({
    table: 'tours',
    key: patrolsKey,
    name: 'tour',
    schema: tourSchema,
    toForm: toTourForm(siteId),
    toColumns: tourRow,
    toNewRow: withoutAuthor,
  });

async function fetchPlan(siteId: string) {
  const [{ data: checkpoints }, { data: tours }] = await Promise.all([
    supabase().from('checkpoints').select('*').eq('site_id', siteId).order('number').throwOnError(),
    supabase()
      .from('tours')
      .select('*, posts(name)')
      .eq('site_id', siteId)
      .order('name')
      .order('id')
      .throwOnError(),
  ]);
  return { checkpoints, tours };
}

/** The checkpoints and tours of a site. */
export const usePlan = (siteId: string) =>
  useLiveQuery(TABLES, patrolsKey, {
    queryKey: [...patrolsKey, 'plan', siteId],
    queryFn: () => fetchPlan(siteId),
  });

export const FLAGS = {
  too_far: 'Too far',
  too_early: 'Too early',
  out_of_order: 'Out of order',
  unknown_code: 'Unknown code',
  no_shift: 'No shift',
} as const;

const flagsSchema = z.array(z.enum(CHECKPOINT_SCANS_FLAGS));
const scansSchema = z.array(
  z.object({
    id: z.guid(),
    checkpoint: z.string().nullable(),
    guard: z.string(),
    scanned_at: z.string(),
    distance_m: z.number().nullable(),
    flags: flagsSchema,
  }),
);
export type Scan = z.infer<typeof scansSchema>[number];

async function fetchRounds(day: string, site: string | undefined) {
  const { data } = await supabase()
    .rpc('tours_of_day', { p_day: day, ...(site === undefined ? {} : { p_site_id: site }) })
    .throwOnError();
  return data.map((row) => ({ ...row, scans: scansSchema.parse(row.scans) }));
}
export type Round = Awaited<ReturnType<typeof fetchRounds>>[number];

export function describeRound({
  points,
  points_done,
  finish_by,
  due_at,
}: Round): [label: string, tone: Tone] {
  if (points_done === points) return ['Done', 'green'];
  const done = `${points_done} of ${points}`;
  if (Date.parse(finish_by) < Date.now()) return [`Missed, ${done}`, 'red'];
  if (points_done > 0 || Date.parse(due_at) < Date.now()) return [`Under way, ${done}`, 'orange'];
  return ['Planned', 'grey'];
}

/** The rounds of a day, by time. @param site undefined for all */
export const useRounds = (day: string, site: string | undefined) =>
  useLiveQuery(TABLES, patrolsKey, {
    queryKey: [...patrolsKey, 'rounds', day, site],
    queryFn: () => fetchRounds(day, site),
    placeholderData: keepPreviousData,
    // Rounds become due as time passes.
    refetchInterval: refetchEvery(60_000),
  });

async function fetchLooseScans(day: string, site: string | undefined) {
  const { data } = await supabase()
    .rpc('scans_outside_rounds', { p_day: day, ...(site === undefined ? {} : { p_site_id: site }) })
    .throwOnError();
  return data.map((row) => ({ ...row, flags: flagsSchema.parse(row.flags) }));
}

/** What was scanned on a day and belongs to none of its rounds. @param site undefined for all */
export const useLooseScans = (day: string, site: string | undefined) =>
  useLiveQuery(TABLES, patrolsKey, {
    queryKey: [...patrolsKey, 'loose scans', day, site],
    queryFn: () => fetchLooseScans(day, site),
    placeholderData: keepPreviousData,
  });
