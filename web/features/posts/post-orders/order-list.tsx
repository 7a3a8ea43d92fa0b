import { mayDo } from '#shared/permissions.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { orderList } from './api.ts';
import { OrderDialog } from './order-dialog.tsx';
import { OrderFormDialog } from './order-form.tsx';
import type { ListedOrder } from './schema.ts';
import type { OrderSearch } from './search.ts';

const columns: Column<ListedOrder>[] = [
  {
    header: 'Site',
    card: 'title',
    className: 'font-semibold',
    sort: 'site',
    cell: (row) => row.site_name,
  },
  {
    header: 'Post',
    cell: (row) => row.post_name ?? <span className="text-muted">Whole site</span>,
  },
  { header: 'Title', sort: 'title', cell: (row) => row.title },
  { header: 'Version', className: 'tabular-nums', cell: (row) => row.version },
  {
    header: 'Valid From',
    className: 'whitespace-nowrap',
    sort: 'from',
    cell: (row) => (
      <>
        {formatDay(row.valid_from)} {row.valid_from > today() && <Badge tone="blue">Later</Badge>}
      </>
    ),
  },
];

const FILTERS = [{ kind: 'site', key: 'site' }] as const;

type OrderListProps = { search: OrderSearch; onChange: ChangeSearch<OrderSearch> };

export function OrderList({ search, onChange }: OrderListProps) {
  const { roles } = useAuth();
  const mayWrite = mayDo(roles, 'post_orders', 'insert');
  return (
    <ListScreen
      {...orderList.useScreen(search, onChange)}
      title="Post Orders"
      subtitle="What guards read and confirm before they first clock in. A new version never changes the old one."
      {...(mayWrite ? { addLabel: 'Write Orders' } : {})}
      filters={FILTERS}
      Table={TableRows}
      columns={columns}
      opens
      dialog={({ open, onClose }) =>
        open === 'new' ? (
          mayWrite && <OrderFormDialog order={undefined} siteId={search.site} onClose={onClose} />
        ) : (
          <OrderDialog
            key={open}
            id={open}
            mayWrite={mayWrite}
            onOpen={(id) => onChange({ open: id })}
            onClose={onClose}
          />
        )
      }
    />
  );
}
