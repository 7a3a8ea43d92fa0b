import { supabase } from '../supabase/client.ts';

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
