// Persists the queries marked as PERSISTED in IndexedDB, per user, so that the portal can show them offline. Why this is not
// TanStack's persister: docs/decisions/0024-own-parts-of-the-app.md.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type CachedQuery, completed, queryCacheDatabase } from '../indexed-db/databases.ts';
import { PERSISTED } from './query-client.ts';

const MAX_AGE_MS = 30 * 24 * 3600_000;

/** In a private window or on a full disk the portal works, but needs a network. */
const warnUnavailable = (error: unknown) => console.warn('Queries can’t be persisted:', error);

/** Storage that doesn't answer, as WebKit's sometimes doesn't, must not keep the app from opening. */
const LONGEST_READ_MS = 3000;

const readQueries = (userId: string) =>
  queryCacheDatabase.run((db) => db.getAllFromIndex('answers', 'userId', userId));

const storeQuery = (query: CachedQuery) => queryCacheDatabase.run((db) => db.put('answers', query));

/** @param userId undefined deletes the queries of all users */
function deleteQueriesOfOthers(userId: string | undefined): Promise<void> {
  return queryCacheDatabase.run(async (db) => {
    const { store, done } = db.transaction('answers', 'readwrite');
    const remove = async () => {
      for (let cursor = await store.openCursor(); cursor; cursor = await cursor.continue()) {
        if (cursor.value.userId !== userId) await cursor.delete();
      }
    };
    await completed(remove(), done);
  });
}

/** @returns whether any query was restored */
async function restoreAll(client: QueryClient, userId: string): Promise<boolean> {
  let hasData = false;
  for (const { queryKey, data, updatedAt } of await readQueries(userId)) {
    if (Date.now() - updatedAt > MAX_AGE_MS) continue;
    const options = { queryKey, meta: PERSISTED, gcTime: Number.POSITIVE_INFINITY };
    const query = client.getQueryCache().build(client, options);
    // Data fetched in the meantime is newer.
    if (query.state.data === undefined) query.setData(data, { updatedAt, manual: true });
    hasData = true;
  }
  return hasData;
}

/** The same; what comes too late is restored then. @throws if it takes too long */
function restore(client: QueryClient, userId: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error('The storage does not answer.')),
      LONGEST_READ_MS,
    );
    restoreAll(client, userId)
      .then(resolve, reject)
      .finally(() => clearTimeout(late));
  });
}

/** Stores the data of each persisted query when it changes. @returns the function that stops it */
function storeChanges(client: QueryClient, userId: string): () => void {
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !query.meta?.isPersisted || query.state.status !== 'success') return;
    const { queryHash: hash, queryKey, state } = query;
    storeQuery({ userId, hash, queryKey, data: state.data, updatedAt: state.dataUpdatedAt }).catch(
      warnUnavailable,
    );
  });
}

let restoredBeforeRender: string | undefined;

/**
 * Restores the user's queries before the first render.
 * @param userId owner of the session on this device
 * @returns whether any query was restored
 */
export async function restoreQueries(client: QueryClient, userId: string): Promise<boolean> {
  const hasData = await restore(client, userId).catch(warnUnavailable);
  restoredBeforeRender = userId;
  return hasData ?? false;
}

/** The same once `painted`: what the first screen shows has come from the server, and reading IndexedDB takes it 0.2 s. */
export function restoreQueriesAfter(
  painted: Promise<void>,
  client: QueryClient,
  userId: string,
): void {
  restoredBeforeRender = userId;
  painted.then(() => restore(client, userId)).catch(warnUnavailable);
}

/**
 * Persists queries for the signed-in user, and deletes those of every other user.
 * @param userId null when no user is signed in, undefined while that is unknown
 * @returns whether the user's queries have been restored, so that screens may render
 */
export function usePersistedQueries(userId: string | null | undefined): boolean {
  const client = useQueryClient();
  const [restoredFor, setRestoredFor] = useState(restoredBeforeRender);

  useEffect(() => {
    if (userId === undefined) return;
    let isCurrent = true;
    deleteQueriesOfOthers(userId ?? undefined).catch(warnUnavailable);
    if (userId === null) return;
    const stop = storeChanges(client, userId);
    if (restoredBeforeRender === userId) {
      // Only once: data fetched since then is newer.
      restoredBeforeRender = undefined;
      // It may have been restored after the first render.
      setRestoredFor(userId);
      return stop;
    }
    restore(client, userId)
      .catch(warnUnavailable)
      .finally(() => {
        if (isCurrent) setRestoredFor(userId);
      });
    return () => {
      isCurrent = false;
      stop();
    };
  }, [client, userId]);

  return !userId || restoredFor === userId;
}
