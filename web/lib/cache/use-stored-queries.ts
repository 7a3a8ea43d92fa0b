// Carries the queries marked as KEPT from one visit to the next, for the person who is signed in and nobody else.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { KEPT } from './query-client.ts';
import { forgetOthers, keep, readKept } from './stored-queries.ts';

/** What is older says nothing about today. */
const OLDEST_MS = 30 * 24 * 3600_000;
/** A private window or a full disk: the portal works, and only needs a network. */
const unavailable = (error: unknown) => console.warn('Nothing can be kept on this device:', error);

/** @returns whether there was anything */
async function restore(client: QueryClient, userId: string): Promise<boolean> {
  let isAny = false;
  for (const { queryKey, data, updatedAt } of await readKept(userId)) {
    if (Date.now() - updatedAt > OLDEST_MS) continue;
    const options = { queryKey, meta: KEPT, gcTime: Number.POSITIVE_INFINITY };
    const query = client.getQueryCache().build(client, options);
    if (query.state.data === undefined) query.setData(data, { updatedAt, manual: true });
    isAny = true;
  }
  return isAny;
}

/** Stores each answer of a kept query as it arrives. @returns what stops it */
function follow(client: QueryClient, userId: string): () => void {
  return client.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !query.meta?.isKept || query.state.status !== 'success') return;
    const { queryHash: hash, queryKey, state } = query;
    const answer = { userId, hash, queryKey, data: state.data, updatedAt: state.dataUpdatedAt };
    keep(answer).catch(unavailable);
  });
}

let preparedFor: string | undefined;

/**
 * Brings back what this person saw last before anything is drawn.
 * @param userId whose session this device holds
 * @returns whether there is anything
 */
export async function prepareKept(client: QueryClient, userId: string): Promise<boolean> {
  const isAny = await restore(client, userId).catch(unavailable);
  preparedFor = userId;
  return isAny ?? false;
}

/**
 * @param userId who is signed in; null for nobody, undefined while that is not known
 * @returns whether what this person saw last is back, so that screens may be shown
 */
export function useKept(userId: string | null | undefined): boolean {
  const client = useQueryClient();
  const [restoredFor, setRestoredFor] = useState(preparedFor);

  useEffect(() => {
    if (userId === undefined) return;
    let isCurrent = true;
    forgetOthers(userId ?? undefined).catch(unavailable);
    if (userId === null) return;
    const stop = follow(client, userId);
    if (preparedFor === userId) {
      // Once: what is loaded since is newer.
      preparedFor = undefined;
      // It may have come back after this was first drawn.
      setRestoredFor(userId);
      return stop;
    }
    restore(client, userId)
      .catch(unavailable)
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
