import { queryClient } from '#web/lib/cache/query-client.ts';
import { guardOrdersKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { readingSchema } from './post-orders.ts';

const TIMEOUT_MS = 20_000;

/** Idempotent: the server stores one confirmation for each version. */
export const sendReading: SendEntry = async ({ payload }, { connection }) => {
  const { orderIds, readAt } = parsePayload(readingSchema, payload);
  accepted(
    await connection
      .rpc('confirm_post_orders', { p_order_ids: orderIds, p_read_at: readAt })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the orders don't show as unread in between.
  await queryClient.invalidateQueries({ queryKey: guardOrdersKey });
};
