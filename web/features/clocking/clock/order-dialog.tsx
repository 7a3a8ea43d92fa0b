import { Dialog } from '#web/components/ui/dialog.tsx';
import type { GuardOrder } from './post-orders.ts';
import { OrderText, ReadOrders } from './read-orders.tsx';

type OrderDialogProps = {
  userId: string;
  order: GuardOrder;
  isRead: boolean;
  onClose: () => void;
};

export function OrderDialog({ userId, order, isRead, onClose }: OrderDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} title="Post orders">
      {isRead ? (
        <OrderText order={order} />
      ) : (
        <ReadOrders userId={userId} orders={[order]} onRead={onClose} />
      )}
    </Dialog>
  );
}
