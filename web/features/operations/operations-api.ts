import { queryOptions } from '@tanstack/react-query';
import { operationsKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type BoardAnswer, boardSchema } from './operations-schema.ts';
import { windowAt } from './seat-states.ts';

/** A request that takes longer counts as a lost connection. */
const TIMEOUT_MS = 8_000;

async function fetchBoard(input: {
  p_from?: string;
  p_to?: string;
  p_shift_ids?: string[];
}): Promise<BoardAnswer> {
  const { data } = await supabase()
    .rpc('operations_board', input)
    .abortSignal(AbortSignal.timeout(TIMEOUT_MS))
    .throwOnError();
  return boardSchema.parse(data);
}

export const fetchWindow = (now: number) => fetchBoard(windowAt(now));

/** What a board begins with; it keeps itself up to date. */
export const firstWindowQuery = queryOptions({
  queryKey: [...operationsKey, 'window'],
  queryFn: () => fetchWindow(Date.now()),
  gcTime: 5_000,
  structuralSharing: false,
});

/** @param ids none: only asks for the server's time */
export const fetchShifts = (ids: string[]) => fetchBoard({ p_shift_ids: ids });
