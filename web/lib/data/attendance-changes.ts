// Changes that overseers make to records of attendance, one or many at once; each returns how to undo it.
import { supabase } from '../supabase/client.ts';
import { changeRecords, undoableChange } from './many-rows.ts';

/** Clocks out at the end of each shift. @param ids of attendance records */
export async function clockOutAtShiftEnd(ids: string[], reason: string) {
  const { data } = await supabase()
    .rpc('clock_out_at_shift_end', { p_ids: ids, p_reason: reason })
    .throwOnError();
  return undoableChange('attendance', data);
}

/** Resolves the exceptions of records to review. @param ids of attendance records */
export const resolveRecords = (ids: string[], resolution: string) =>
  changeRecords('attendance', ids, { needs_review: false, resolution }, { needs_review: true });

export type NoShow = { assignmentId: string; reason: string };

/** Frees the seat of a guard who did not come. Repeating it changes the reason. */
export async function markNoShow({ assignmentId, reason }: NoShow): Promise<void> {
  await supabase()
    .rpc('mark_no_show', { p_assignment_id: assignmentId, p_reason: reason })
    .throwOnError();
}

/** Expects the guard again. */
export async function undoNoShow(assignmentId: string): Promise<void> {
  await supabase().rpc('undo_no_show', { p_assignment_id: assignmentId }).throwOnError();
}
