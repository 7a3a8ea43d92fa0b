import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { clientRequestsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const SHOWN = 100;

export const answerSchema = z.object({
  answer: textField('Answer', limits.CLIENT_REQUESTS_ANSWER_MAX).min(
    limits.CLIENT_REQUESTS_ANSWER_MIN,
    'Write an answer',
  ),
});
export type AnswerForm = z.infer<typeof answerSchema>;

/** Newest first. */
export const useRequests = (clientId: string) =>
  useLiveQuery('client_requests', clientRequestsKey, {
    queryKey: [...clientRequestsKey, clientId],
    queryFn: async () =>
      (
        await supabase()
          .from('client_requests')
          .select(
            'id, kind, body, starts_at, ends_at, headcount, status, answer, created_at, site:sites (name), contact:client_contacts (full_name)',
          )
          .eq('client_id', clientId)
          .order('created_at', { ascending: false })
          .order('id')
          .limit(SHOWN)
          .throwOnError()
      ).data,
  });

type Answer = { id: string; answer: string; isDeclined: boolean };

async function answerRequest({ id, answer, isDeclined }: Answer): Promise<void> {
  await supabase()
    .rpc('answer_client_request', { p_id: id, p_answer: answer, p_declined: isDeclined })
    .throwOnError();
}

export const useAnswerRequest = () => useChange(clientRequestsKey, answerRequest);
