import { keepPreviousData } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { timesheetsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type DecisionKind, issuesBySheet } from './issue-kinds.ts';
import type { TimesheetFilters } from './search.ts';
import { SHEET_TABLES } from './sheet-api.ts';
import { argumentsOf } from './timesheet-api.ts';

type IssueRow = Database['public']['Functions']['timesheet_issues']['Returns'][number];
export type SheetIssue = IssueRow & {
  /** Kinds of further flags of the same record. */
  also: string[];
};

/** @param ids of timesheets */
async function fetchIssues(ids: string[]): Promise<ReadonlyMap<string, SheetIssue[]>> {
  if (ids.length === 0) return new Map();
  const { data } = await supabase()
    .rpc('timesheet_issues', { p_timesheet_ids: ids })
    .throwOnError();
  return issuesBySheet(data);
}

export const useIssues = (ids: string[]) =>
  useLiveQuery(SHEET_TABLES, timesheetsKey, {
    queryKey: [...timesheetsKey, 'issues', ids],
    queryFn: () => fetchIssues(ids),
    placeholderData: keepPreviousData,
  });

type Decision = { attendance_id: string; kind: DecisionKind; approved: boolean };

/** @returns how to take the decision back */
export async function decideTime({ attendance_id, kind, approved }: Decision) {
  await supabase()
    .rpc('decide_time', { p_attendance_id: attendance_id, p_kind: kind, p_approved: approved })
    .throwOnError();
  return () => takeBackDecision(attendance_id, kind);
}

export async function takeBackDecision(attendanceId: string, kind: DecisionKind): Promise<void> {
  await supabase()
    .rpc('decide_time', { p_attendance_id: attendanceId, p_kind: kind })
    .throwOnError();
}

/**
 * Decides many at once; what somebody has decided before stays.
 * @returns how many were decided, and how to take them back
 */
export async function decideTimes(ids: string[], kind: DecisionKind, approved: boolean) {
  const { data } = await supabase()
    .rpc('decide_times', { p_attendance_ids: ids, p_kind: kind, p_approved: approved })
    .throwOnError();
  const undo = async () => {
    if (data.length === 0) return undefined;
    await supabase().rpc('decide_times', { p_attendance_ids: data, p_kind: kind }).throwOnError();
    return undefined;
  };
  return { changed: data.length, undo };
}

export type EqualIssues = Database['public']['Functions']['equal_issues']['Returns'][number];

/** Groups of equal cases in the timesheets that a list finds. */
export function useEqualIssues(filters: TimesheetFilters, isWanted: boolean) {
  const given = argumentsOf(filters);
  return useLiveQuery(SHEET_TABLES, timesheetsKey, {
    queryKey: [...timesheetsKey, 'equal', given],
    queryFn: async () => (await supabase().rpc('equal_issues', given).throwOnError()).data,
    placeholderData: keepPreviousData,
    enabled: isWanted,
  });
}

async function answerDispute({ disputeId, answer }: { disputeId: string; answer: string }) {
  await supabase().rpc('answer_dispute', { p_id: disputeId, p_answer: answer }).throwOnError();
}

export const useAnswerDispute = () => useChange(timesheetsKey, answerDispute);
