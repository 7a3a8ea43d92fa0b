import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HistorySection } from '#web/components/records/history-section.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import { ITEM, ITEM_LINK, MORE_LINK, SectionRow } from '#web/components/ui/section-row.tsx';
import { fetchHistory } from '#web/lib/data/history.ts';
import { postOrdersKey, sitesKey } from '#web/lib/data/keys.ts';
import { formatDateTime, formatDay, today } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { describeDevice, useDevices } from './devices-api.ts';

async function fetchOrders(siteId: string) {
  const { data } = await supabase()
    .from('newest_post_orders')
    .select('id, title, post_name, version, valid_from')
    .eq('site_id', siteId)
    .order('post_name', { nullsFirst: true })
    .order('id')
    .throwOnError();
  return data;
}

export function OrdersSection({ siteId }: { siteId: string }) {
  const query = useLiveQuery('post_orders', postOrdersKey, {
    queryKey: [...postOrdersKey, 'of site', siteId],
    queryFn: () => fetchOrders(siteId),
  });
  return (
    <LoadedList
      title="Post Orders"
      query={query}
      loadingText="Loading post orders..."
      emptyText="No orders written yet."
      more={
        <Link to="/admin/roster/posts/orders" search={{ site: siteId }} className={MORE_LINK}>
          All orders
        </Link>
      }
    >
      {({ id, title, post_name, version, valid_from }) => (
        <li key={id}>
          <Link
            to="/admin/roster/posts/orders"
            search={{ site: siteId, open: id ?? undefined }}
            className={ITEM_LINK}
          >
            <SectionRow
              title={title}
              detail={`${post_name ?? 'Whole site'}, version ${version}`}
              badge={
                valid_from !== null && valid_from > today() ? (
                  <Badge tone="blue">From {formatDay(valid_from)}</Badge>
                ) : undefined
              }
            />
          </Link>
        </li>
      )}
    </LoadedList>
  );
}

export function DevicesSection({ siteId }: { siteId: string }) {
  return (
    <LoadedList
      title="Devices"
      query={useDevices(siteId)}
      loadingText="Loading devices..."
      emptyText="No shared device yet."
      more={
        <Link to="/admin/sites/devices" search={{ site: siteId }} className={MORE_LINK}>
          All devices
        </Link>
      }
    >
      {(device) => {
        const { label, tone } = describeDevice(device);
        return (
          <li key={device.id} className={ITEM}>
            <SectionRow
              title={device.name}
              detail={
                device.last_seen_at
                  ? `Last seen ${formatDateTime(device.last_seen_at)}`
                  : 'Not used yet'
              }
              badge={<Badge tone={tone}>{label}</Badge>}
            />
          </li>
        );
      }}
    </LoadedList>
  );
}

/** Of the site and its posts. */
async function fetchHistoryOf(siteId: string) {
  const { data } = await supabase()
    .from('posts')
    .select('id')
    .eq('site_id', siteId)
    .order('id')
    .throwOnError();
  return fetchHistory([siteId, ...data.map(({ id }) => id)]);
}

export function SiteHistory({ siteId }: { siteId: string }) {
  const query = useQuery({
    queryKey: [...sitesKey, 'history', siteId],
    queryFn: () => fetchHistoryOf(siteId),
  });
  return <HistorySection query={query} row={siteId} />;
}
