import { z } from 'zod';
import { INBOUND_MESSAGES_KIND } from '#shared/database.values.ts';
import { messagesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { MESSAGE_EXCEPTIONS } from './outcomes.ts';

const MOST = 100;
const typedSchema = z.object({
  outcome: z.enum(MESSAGE_EXCEPTIONS),
  kind: z.enum(INBOUND_MESSAGES_KIND),
});

/** Messages that a planner must look at, newest first. */
async function fetchExceptions() {
  const { data } = await supabase()
    .from('inbound_messages')
    .select(
      'id, kind, outcome, from_phone, body, reply, received_at, user_id, guard:profiles!inbound_messages_user_id_fkey(full_name, email), site:sites(name, timezone)',
    )
    .eq('is_exception', true)
    .is('handled_at', null)
    .order('received_at', { ascending: false })
    .order('id')
    .limit(MOST)
    .throwOnError();
  return data.map((row) => ({ ...row, ...typedSchema.parse(row) }));
}

export type MessageException = Awaited<ReturnType<typeof fetchExceptions>>[number];

export const useMessageExceptions = () =>
  useLiveQuery('inbound_messages', messagesKey, {
    queryKey: messagesKey,
    queryFn: fetchExceptions,
  });

async function handleMessage({ id, isHandled }: { id: string; isHandled: boolean }) {
  await supabase()
    .rpc('handle_message', { p_message_id: id, p_is_handled: isHandled })
    .throwOnError();
}

export const useHandleMessage = () => useChange(messagesKey, handleMessage);
