import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { shiftsKey } from '#web/lib/data/keys.ts';
import { changeOne } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { AssignmentForm, Shift } from './shift-schema.ts';

/** A rule that an assignment breaks or would break, as guard_availability and refusals of the database name it. */
export const rosterProblemsSchema = z.array(
  z.object({ rule: z.string(), message: z.string(), can_override: z.boolean() }),
);

async function fetchAssignments(shiftId: string) {
  const { data } = await supabase()
    .from('assignments')
    .select(
      'id, user_id, status, role_at_shift, attendance_state, on_leave, counts_as_staffed, override_reason, overridden_rules, no_show_reason, guard:profiles!user_id(full_name, email)',
    )
    .eq('shift_id', shiftId)
    .order('created_at')
    .order('id')
    .throwOnError();
  return data.map(({ guard, ...rest }) => ({
    ...rest,
    name: guard.full_name || guard.email || 'No name',
  }));
}

export type Assignment = Awaited<ReturnType<typeof fetchAssignments>>[number];

export function useAssignments(shiftId: string) {
  return useQuery({
    queryKey: [...shiftsKey, 'assignments', shiftId],
    queryFn: () => fetchAssignments(shiftId),
  });
}

type ShiftTimes = Pick<Shift, 'id' | 'site_id' | 'start_time' | 'end_time'>;

/** Every guard, with what prevents them from working the shift (`conflict`), broken rules and warnings. */
async function fetchGuardAvailability({ id, site_id, start_time, end_time }: ShiftTimes) {
  const { data } = await supabase()
    .rpc('guard_availability', {
      p_site_id: site_id,
      p_start: start_time,
      p_end: end_time,
      p_shift_id: id,
    })
    .throwOnError();
  return data.map(({ problems, ...guard }) => ({
    ...guard,
    // The conflict says the same in the site's time.
    problems: rosterProblemsSchema.parse(problems).filter(({ rule }) => rule !== 'overlap'),
  }));
}

export type GuardAvailability = Awaited<ReturnType<typeof fetchGuardAvailability>>[number];

export function useGuardAvailability({ id, site_id, start_time, end_time }: ShiftTimes) {
  return useQuery({
    queryKey: [...shiftsKey, 'availability', id, site_id, start_time, end_time],
    queryFn: () => fetchGuardAvailability({ id, site_id, start_time, end_time }),
  });
}

type GuardsChange = {
  shiftId: string;
  add: string[];
  remove: string[];
  /** Why guards are added against rules that can be overridden. */
  reason?: string | undefined;
};

/** In one transaction: all changes are made, or none. */
async function assignGuards({ shiftId, add, remove, reason }: GuardsChange): Promise<void> {
  await supabase()
    .rpc('assign_guards', {
      p_shift_id: shiftId,
      p_user_ids: add,
      p_remove_user_ids: remove,
      ...(reason && { p_override_reason: reason }),
    })
    .throwOnError();
}

export function useAssignGuards() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: assignGuards,
    // Also after an error: someone else may have changed the assignments in the meantime.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: shiftsKey }),
  });
}

async function changeAssignment({ id, form }: { id: string; form: AssignmentForm }): Promise<void> {
  await changeOne(
    supabase()
      .from('assignments')
      .update({ status: form.status, role_at_shift: orNull(form.role_at_shift) })
      .eq('id', id),
    'assignment',
  );
}

export const useChangeAssignment = () => useChange(shiftsKey, changeAssignment);
