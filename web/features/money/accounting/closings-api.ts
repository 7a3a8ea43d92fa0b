import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { BOOKED_TABLES } from '#web/lib/data/booked-tables.ts';
import { booksKey, invoicesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { dayField, optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { reasonField } from '#web/lib/form-fields/text-field.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';

type Named = { full_name: string | null; email: string | null };
export type Closing = Database['public']['Tables']['book_closings']['Row'] & {
  requester: Named | null;
  decider: Named | null;
};

export const closeSchema = z.object({ day: dayField('Day is required') });
export const reopenSchema = z.object({ day: optionalDayField, reason: reasonField });

async function fetchClosings() {
  const { data } = await supabase()
    .from('book_closings')
    .select(
      '*, requester:profiles!book_closings_requested_by_fkey(full_name, email), decider:profiles!book_closings_decided_by_fkey(full_name, email)',
    )
    .order('requested_at', { ascending: false })
    .limit(200)
    .returns<Closing[]>()
    .throwOnError();
  return readState(data);
}

const inForceAt = ({ decided_at, requested_at }: Closing) => decided_at ?? requested_at;

/** @returns the day that the books are closed to, null while they are open, and the request that waits */
export function readState(history: Closing[]) {
  const last = history
    .filter(({ status }) => status === 'in_force')
    .sort((one, other) => Date.parse(inForceAt(other)) - Date.parse(inForceAt(one)))[0];
  return {
    closedTo: last?.closed_to ?? null,
    asked: history.find(({ status }) => status === 'asked'),
    history,
  };
}

export const useBooks = () =>
  useLiveQuery('book_closings', booksKey, { queryKey: booksKey, queryFn: fetchClosings });

/** What is still open of a month. @param month its first day */
async function fetchClosingWork(month: string) {
  const { data } = await supabase().rpc('closing_work', { p_month: month }).throwOnError();
  return data;
}

/** Refetched with whatever the books are made of. */
export const useClosingWork = (month: string) =>
  useLiveQuery([...BOOKED_TABLES, 'timesheets', 'pay_adjustments'], invoicesKey, {
    queryKey: [...invoicesKey, 'closing-work', month],
    queryFn: () => fetchClosingWork(month),
  });

async function closeBooks({ day }: z.infer<typeof closeSchema>) {
  await requireUserId();
  await supabase().rpc('close_books', { p_to: day }).throwOnError();
}

async function askToReopen({ day, reason }: z.infer<typeof reopenSchema>) {
  await requireUserId();
  await supabase()
    .rpc('ask_to_reopen_books', { p_reason: reason, ...(day !== '' && { p_to: day }) })
    .throwOnError();
}

async function decideReopening({ id, approve }: { id: string; approve: boolean }) {
  await requireUserId();
  await supabase().rpc('decide_reopening', { p_id: id, p_approve: approve }).throwOnError();
}

export const useCloseBooks = () => useChange(booksKey, closeBooks);
export const useAskToReopen = () => useChange(booksKey, askToReopen);
export const useDecideReopening = () => useChange(booksKey, decideReopening);
