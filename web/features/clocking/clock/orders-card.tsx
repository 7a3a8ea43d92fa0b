// The post orders of the running or next shift, on the home screen of the staff portal.
import { ChevronRight, ScrollText } from 'lucide-react';
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { FoldedCard } from '#web/components/ui/folded-card.tsx';
import { LastUpdated } from '#web/components/ui/loaded-card.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { type GuardOrder, useGuardOrders } from './post-orders.ts';

const OrderDialog = lazy(async () => ({
  default: (await import('./order-dialog.tsx')).OrderDialog,
}));

export function OrdersCard({ userId }: { userId: string }) {
  const { query, orders, isRead } = useGuardOrders(userId);
  const [opened, setOpened] = useState<GuardOrder>();
  const close = () => setOpened(undefined);
  const next = orders.filter(({ assignment_id }) => assignment_id === orders[0]?.assignment_id);
  if (next.length === 0) return null;
  const unread = next.filter((order) => !isRead(order)).length;
  return (
    <>
      <FoldedCard
        title="Post orders"
        summary={
          unread > 0 ? (
            <span className="font-semibold text-warning">{`${unread} not read`}</span>
          ) : (
            `${next.length} read`
          )
        }
      >
        <div className="px-4 not-empty:pt-2 sm:px-5">
          <LastUpdated query={query} />
        </div>
        <ul className="divide-y divide-line">
          {next.map((order) => (
            <li key={order.order_id}>
              <button
                type="button"
                aria-haspopup="dialog"
                onClick={() => setOpened(order)}
                className="flex min-h-14 w-full items-center gap-3 px-4 py-3 text-left transition-colors hover:bg-sunken sm:px-5"
              >
                <ScrollText aria-hidden="true" className="size-5 shrink-0 text-accent" />
                <span className="min-w-0 flex-1">
                  <span className="block font-semibold break-words">{order.title}</span>
                  <span className="block text-sm break-words text-muted">
                    {[order.site_name, order.post_name].filter(Boolean).join(', ')}
                  </span>
                  <Badge tone={isRead(order) ? 'green' : 'orange'} className="mt-1.5">
                    {isRead(order) ? 'Read' : 'Not read'}
                  </Badge>
                </span>
                <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
              </button>
            </li>
          ))}
        </ul>
      </FoldedCard>
      {opened && (
        <LazyPart fallback={<Opening title="Post orders" />} onClose={close}>
          <OrderDialog userId={userId} order={opened} isRead={isRead(opened)} onClose={close} />
        </LazyPart>
      )}
    </>
  );
}
