// Post orders as the guard reads them: before the first clock-in at a version, and later from the card.
import { useState } from 'react';
import { OutlinedText } from '#web/components/text/outlined-text.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { type GuardOrder, submitReading } from './post-orders.ts';

export function OrderText({ order }: { order: GuardOrder }) {
  const place = [order.site_name, order.post_name].filter(Boolean).join(', ');
  return (
    <article aria-label={order.title} className="grid gap-3 text-ink">
      <div>
        <h3 className="font-display text-2xl leading-tight break-words">{order.title}</h3>
        <p className="mt-0.5 text-sm break-words text-muted">
          {place}. Version {order.version}, from {formatDay(order.valid_from)}
        </p>
      </div>
      <OutlinedText text={order.body} />
    </article>
  );
}

type ReadOrdersProps = {
  userId: string;
  orders: readonly GuardOrder[];
  /** After the confirmation, which may still wait for a signal, or has failed. */
  onRead: () => void;
};

/** All unread orders below each other, and one button for them. */
export function ReadOrders({ userId, orders, onRead }: ReadOrdersProps) {
  const [isBusy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    try {
      const outcome = await submitReading(userId, orders);
      if (outcome.state === 'refused') showError('Error', outcome.reason);
    } catch (error) {
      showError('Error', describeError(error));
    }
    // A phone without space must not keep a guard from clocking in; planners see the orders as unread.
    setBusy(false);
    onRead();
  }
  return (
    <section aria-label="Post orders" className="grid gap-6">
      {orders.map((order) => (
        <OrderText key={order.order_id} order={order} />
      ))}
      <div className="sticky -bottom-5 -mx-5 -mb-5 border-t border-line bg-raised px-5 py-3">
        <Button busy={isBusy} className="min-h-14 w-full text-lg" onClick={() => void confirm()}>
          I have read this
        </Button>
      </div>
    </section>
  );
}
