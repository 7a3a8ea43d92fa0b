import { queryOptions } from '@tanstack/react-query';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { clientPortalKey } from '#web/lib/data/keys.ts';
import { portal } from './backend.ts';

const REFRESH_MS = 60_000;
const SHOWN = 100;

export const requestsQuery = queryOptions({
  queryKey: [...clientPortalKey, 'requests'],
  queryFn: async () =>
    (
      await portal()
        .from('client_requests')
        .select(
          'id, kind, body, site_id, starts_at, ends_at, headcount, status, answer, created_at',
        )
        .order('created_at', { ascending: false })
        .order('id')
        .limit(SHOWN)
        .throwOnError()
    ).data,
  refetchInterval: refetchEvery(REFRESH_MS),
});

export const periodsQuery = queryOptions({
  queryKey: [...clientPortalKey, 'periods'],
  queryFn: async () =>
    (await portal().from('retention_rules').select('kind, days').order('kind').throwOnError()).data,
});

export const placesQuery = queryOptions({
  queryKey: [...clientPortalKey, 'places'],
  queryFn: async () =>
    (await portal().rpc('client_places', undefined, { get: true }).throwOnError()).data,
});
