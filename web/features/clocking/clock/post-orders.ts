import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { guardOrdersKey } from '#web/lib/data/keys.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { READING_KIND } from '#web/lib/outbox/kinds.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { type SubmitOutcome, submit } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function fetchOrders() {
  const { data } = await supabase().rpc('my_post_orders', undefined, { get: true }).throwOnError();
  return data;
}

export type GuardOrder = Awaited<ReturnType<typeof fetchOrders>>[number];

export const readingSchema = z.object({ orderIds: z.array(z.uuid()), readAt: z.string() });

function waitingOrders(waiting: readonly OutboxEntry[]): Set<string> {
  const readings = waiting.filter(({ kind }) => kind === READING_KIND);
  return new Set(
    readings.flatMap(({ payload }) => readingSchema.safeParse(payload).data?.orderIds ?? []),
  );
}

/** The orders of the running and next shifts, the next shift first, and the ids of those that this guard has read. */
export function useGuardOrders(userId: string) {
  useLiveTable(['post_orders', ...ownRows(userId, 'assignments')], guardOrdersKey);
  const query = useQuery({
    queryKey: [...guardOrdersKey, userId],
    queryFn: fetchOrders,
    meta: PERSISTED,
  });
  const { waiting } = useOutbox();
  const queued = waitingOrders(waiting);
  const orders = query.data ?? [];
  const isRead = ({ order_id, read_at }: GuardOrder) => read_at !== null || queued.has(order_id);
  return { query, orders, isRead };
}

/** Unread orders of these assignments, each once. Empty without a signal on a new phone: nobody is kept from clocking in. */
export function useUnreadOrders(userId: string, assignmentIds: readonly string[]): GuardOrder[] {
  const { orders, isRead } = useGuardOrders(userId);
  const unread = new Map<string, GuardOrder>();
  for (const order of orders) {
    if (assignmentIds.includes(order.assignment_id) && !isRead(order)) {
      unread.set(order.order_id, order);
    }
  }
  return [...unread.values()];
}

/** @throws OutboxFull */
export async function submitReading(
  userId: string,
  orders: readonly GuardOrder[],
): Promise<SubmitOutcome> {
  const { at, offsetMs } = await deviceTime();
  return submit({
    id: crypto.randomUUID(),
    userId,
    kind: READING_KIND,
    title: `Post orders read, ${orders[0]?.site_name ?? ''}`,
    payload: {
      orderIds: orders.map(({ order_id }) => order_id),
      readAt: new Date(at + (offsetMs ?? 0)).toISOString(),
    },
  });
}
