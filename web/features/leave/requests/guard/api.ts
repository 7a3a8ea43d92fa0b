import { useQuery } from '@tanstack/react-query';
import type { LeavePeriod } from '#shared/leave-entitlement.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { guardLeaveKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { submissionId } from '#web/lib/drafts/draft-store.ts';
import { formatPeriod, fromLocalInput } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import { LEAVE_KIND } from '#web/lib/outbox/kinds.ts';
import { type SubmitOutcome, submitForm } from '#web/lib/outbox/submit.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId, useAuth } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type RequestForm, submittedSchema } from './request-schema.ts';
import type { RequestEntry } from './send-request.ts';

/** Enough for years of requests. */
const MAX_REQUESTS = 200;

const COLUMNS = 'id, type, start_date, end_date, reason, status, decision_note, created_at';

/** The user's own requests, latest leave first. */
async function fetchOwnRequests(userId: string) {
  const { data } = await supabase()
    .from('leave_requests')
    .select(COLUMNS)
    .eq('user_id', userId)
    .order('start_date', { ascending: false })
    .order('created_at', { ascending: false })
    .limit(MAX_REQUESTS)
    .throwOnError();
  return data;
}

export type OwnRequest = Awaited<ReturnType<typeof fetchOwnRequests>>[number];

export function useOwnRequests() {
  const { user } = useAuth();
  useLiveTable(ownRows(user?.id, 'leave_requests'), guardLeaveKey);
  return useQuery({
    queryKey: [...guardLeaveKey, user?.id],
    queryFn: () => fetchOwnRequests(user?.id ?? ''),
    meta: PERSISTED,
  });
}

export function useHiredOn() {
  const { user } = useAuth();
  return useQuery({
    queryKey: ['hired-on', user?.id],
    queryFn: async () =>
      (await supabase().rpc('hired_on', undefined, { get: true }).throwOnError()).data,
    meta: PERSISTED,
  });
}

/** Starts of the user's shifts on these days, soonest first. */
async function fetchTouchedShifts(userId: string, start: string, end: string) {
  const until = dayAfter(end, 1);
  const { data } = await supabase()
    .from('assignments')
    .select('id, starts_at')
    .eq('user_id', userId)
    .in('status', ['assigned', 'confirmed'])
    .gte('starts_at', fromLocalInput(`${start}T00:00`) ?? start)
    .lt('starts_at', fromLocalInput(`${until}T00:00`) ?? until)
    .order('starts_at')
    .throwOnError();
  return data;
}

/** @param period undefined while the form has no valid one */
export function useTouchedShifts(period: LeavePeriod | undefined) {
  const { user } = useAuth();
  const { start_date = '', end_date = '' } = period ?? {};
  return useQuery({
    queryKey: [...guardLeaveKey, 'touched', user?.id, start_date, end_date],
    queryFn: () => fetchTouchedShifts(user?.id ?? '', start_date, end_date),
    enabled: period !== undefined,
  });
}

async function cancelRequest(id: string): Promise<void> {
  const { data } = await supabase()
    .from('leave_requests')
    .update({ status: 'cancelled' })
    .eq('id', id)
    .eq('status', 'pending')
    .select('id')
    .maybeSingle()
    .throwOnError();
  if (!data) throw new Error('This request has already been decided.');
}

export const useCancelRequest = () => useChange(guardLeaveKey, cancelRequest);

/**
 * Puts the request into the outbox, which sends it now or when the device is online.
 * @throws if the server refused the request
 */
export async function submitRequest(draftId: string, form: RequestForm): Promise<SubmitOutcome> {
  const userId = await requireUserId('Not authenticated');
  const fields = submittedSchema.parse(form);
  const id = await submissionId(draftId, ...Object.values(fields));
  const title = `Leave, ${formatPeriod(fields.start_date, fields.end_date)}`;
  const payload: RequestEntry = { ...fields, id, user_id: userId };
  return submitForm({ id, userId, kind: LEAVE_KIND, title, payload });
}
