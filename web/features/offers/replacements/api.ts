import { useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  DUTY_NOTICES_KIND,
  OFFERS_ANSWER,
  OFFERS_STATUS,
  REPLACEMENT_CALLS_RESULT,
} from '#shared/database.values.ts';
import { markNoShow, undoNoShow } from '#web/lib/data/attendance-changes.ts';
import { replacementsKey, shiftsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const TABLES = ['offers', 'assignments', 'replacement_calls', 'shifts', 'duty_notices'] as const;

const typedOffer = z.object({
  status: z.enum(OFFERS_STATUS),
  answer: z.enum(OFFERS_ANSWER).nullable(),
});
/** What a guard says before they come, while it counts. */
const saidSchema = z.object({ kind: z.enum(DUTY_NOTICES_KIND), said: z.string() });
const typedCall = z.object({ result: z.enum(REPLACEMENT_CALLS_RESULT) });

type Named = { full_name: string | null; email: string | null };
const nameOf = (person: Named | null) => person?.full_name || person?.email || 'No name';

const SHIFT = `id, required_headcount, start_time, end_time, site:sites(timezone),
  assignments(id, user_id, status, attendance_state, counts_as_staffed, starts_at, no_show_reason,
    guard:profiles!user_id(full_name, email, phone), duty_notices(kind, said)),
  offers(id, user_id, status, answer, note, decision_note, created_at,
    guard:profiles!user_id(full_name, email)),
  replacement_calls(id, user_id, result, note, created_at, caller:profiles!created_by(full_name, email))` as const;

/** The shift with its guards, the offers of it and the calls about it, newest last. */
async function fetchSituation(shiftId: string) {
  const { data } = await supabase()
    .from('shifts')
    .select(SHIFT)
    .eq('id', shiftId)
    .eq('offers.kind', 'offer')
    .neq('assignments.status', 'cancelled')
    .eq('assignments.duty_notices.is_open', true)
    .order('created_at', { referencedTable: 'assignments' })
    .order('created_at', { referencedTable: 'offers' })
    .order('created_at', { referencedTable: 'replacement_calls' })
    .maybeSingle()
    .throwOnError();
  if (!data) return null;
  const { assignments, offers, replacement_calls, site, ...shift } = data;
  const guards = assignments.map(({ guard, duty_notices, ...rest }) => ({
    ...rest,
    name: nameOf(guard),
    phone: guard.phone,
    notice: z.array(saidSchema).parse(duty_notices)[0],
  }));
  // Who can't come holds the seat until another guard has it.
  const staying = guards.filter(
    ({ counts_as_staffed, notice }) => counts_as_staffed && notice?.kind !== 'cant_come',
  ).length;
  return {
    ...shift,
    timezone: site.timezone,
    seats: Math.max(0, shift.required_headcount - staying),
    guards,
    offers: offers.map(({ guard, ...rest }) => ({
      ...rest,
      ...typedOffer.parse(rest),
      name: nameOf(guard),
    })),
    calls: replacement_calls.map(({ caller, ...rest }) => ({
      ...rest,
      ...typedCall.parse(rest),
      caller: nameOf(caller),
    })),
  };
}

export type Situation = NonNullable<Awaited<ReturnType<typeof fetchSituation>>>;
export type ShiftGuard = Situation['guards'][number];
export type ShiftOffer = Situation['offers'][number];
export type ShiftCall = Situation['calls'][number];

export const useSituation = (shiftId: string) =>
  useLiveQuery(TABLES, replacementsKey, {
    queryKey: [...replacementsKey, 'situation', shiftId],
    queryFn: () => fetchSituation(shiftId),
  });

async function fetchRanking(shiftId: string) {
  const { data } = await supabase().rpc('rank_replacements', { shift_id: shiftId }).throwOnError();
  return data;
}

export type Candidate = Awaited<ReturnType<typeof fetchRanking>>[number];

/** Those who may lawfully come, best first. */
export function useRanking(shiftId: string) {
  return useQuery({
    queryKey: [...replacementsKey, 'ranking', shiftId],
    queryFn: () => fetchRanking(shiftId),
  });
}

type ShiftOffers = { shiftId: string; userIds: string[]; note: string };

async function offerShift({ shiftId, userIds, note }: ShiftOffers) {
  const { data } = await supabase()
    .rpc('offer_shift', {
      p_shift_id: shiftId,
      p_user_ids: userIds,
      ...(note !== '' && { p_note: note }),
    })
    .throwOnError();
  return data.length;
}

export const useOfferShift = () => useChange(replacementsKey, offerShift);

/** All or none. */
async function withdrawOffers(ids: string[]): Promise<void> {
  await supabase().rpc('withdraw_offers', { p_offer_ids: ids }).throwOnError();
}

export const useWithdrawOffers = () => useChange(replacementsKey, withdrawOffers);

/** Undoes `withdrawOffers`: asks the same guards again. */
async function renewOffers(ids: string[]): Promise<void> {
  await supabase().rpc('renew_offers', { p_offer_ids: ids }).throwOnError();
}

export const useRenewOffers = () => useChange(replacementsKey, renewOffers);

type CallNote = {
  shiftId: string;
  userId: string;
  result: ShiftCall['result'];
  note: string;
};

async function noteCall({ shiftId, userId, result, note }: CallNote): Promise<void> {
  await supabase()
    .rpc('note_call', {
      p_shift_id: shiftId,
      p_user_id: userId,
      p_result: result,
      ...(note !== '' && { p_note: note }),
    })
    .throwOnError();
}

export const useNoteCall = () => useChange(replacementsKey, noteCall);

type Seat = { shiftId: string; userId: string };

/** @param seat.call what the guard says on the phone, if they say that they are coming */
async function assignReplacement({ shiftId, userId, call }: Seat & { call?: { note: string } }) {
  await supabase()
    .rpc('assign_replacement', {
      p_shift_id: shiftId,
      p_user_id: userId,
      ...(call && { p_is_coming: true, ...(call.note !== '' && { p_note: call.note }) }),
    })
    .throwOnError();
}

export const useAssignReplacement = () => useChange(replacementsKey, assignReplacement);

async function unassignReplacement({ shiftId, userId }: Seat): Promise<void> {
  await supabase()
    .rpc('assign_guards', { p_shift_id: shiftId, p_user_ids: [], p_remove_user_ids: [userId] })
    .throwOnError();
}

/** Undoes `useAssignReplacement`. */
export const useUnassignReplacement = () => useChange(replacementsKey, unassignReplacement);

/** Both change the seats of the shift. */
export function useNoShow() {
  const queryClient = useQueryClient();
  async function changed(work: Promise<void>) {
    await work;
    void queryClient.invalidateQueries({ queryKey: shiftsKey });
    await queryClient.invalidateQueries({ queryKey: replacementsKey });
  }
  return {
    mark: (assignmentId: string, reason: string) => changed(markNoShow({ assignmentId, reason })),
    undo: (assignmentId: string) => changed(undoNoShow(assignmentId)),
  };
}
