// Functions that return rows of the caller's own clients.
import { queryOptions } from '@tanstack/react-query';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { clientPortalKey } from '#web/lib/data/keys.ts';
import { isRecord, isText } from '#web/lib/session/read-json.ts';
import { fetchPhoto, portal } from './backend.ts';

/** Live changes don't reach contacts, who read no table. The open page notices an access that has ended within this time. */
const ACCESS_MS = 20_000;
const NOW_MS = 60_000;

/** The clients whose contact the caller is; empty once the access has ended. */
export const myClientsQuery = queryOptions({
  queryKey: [...clientPortalKey, 'clients'],
  queryFn: async () =>
    (await portal().rpc('my_clients', undefined, { get: true }).throwOnError()).data,
  refetchInterval: refetchEvery(ACCESS_MS),
  refetchOnWindowFocus: 'always',
});

type Guard = {
  name: string;
  since: string;
  /** Path in the bucket `photos`. */
  photo: string | null;
};

/** By hand, because Zod would be a tenth of the code of the first screen. */
function guardsOf(value: unknown): Guard[] {
  if (!Array.isArray(value)) throw new Error('The server sent an unreadable list of guards.');
  return value.flatMap((guard: unknown) =>
    isRecord(guard) && isText(guard.name) && isText(guard.since)
      ? [{ name: guard.name, since: guard.since, photo: isText(guard.photo) ? guard.photo : null }]
      : [],
  );
}

async function fetchNow() {
  const { data } = await portal().rpc('client_now', undefined, { get: true }).throwOnError();
  return data.map((row) => ({ ...row, guards: guardsOf(row.guards) }));
}
export type PostNow = Awaited<ReturnType<typeof fetchNow>>[number];

export const nowQuery = queryOptions({
  queryKey: [...clientPortalKey, 'now'],
  queryFn: fetchNow,
  refetchInterval: refetchEvery(NOW_MS),
  refetchOnWindowFocus: 'always',
});

/** Photo of a guard. Not under the portal's key: a file's content never changes. */
export const photoQuery = (path: string | null) =>
  queryOptions({
    queryKey: ['guard-photo', path],
    queryFn: () => (path ? fetchPhoto(path) : Promise.reject(new Error('There is no photo.'))),
    enabled: path !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** How soon calls for service of a month were answered, by priority. @param month its first day, yyyy-MM-dd */
export const callTimesQuery = (clientId: string, month: string) =>
  queryOptions({
    queryKey: [...clientPortalKey, 'calls', clientId, month],
    queryFn: async () =>
      (
        await portal()
          .rpc('client_calls', { p_client_id: clientId, p_month: month }, { get: true })
          .throwOnError()
      ).data,
  });
