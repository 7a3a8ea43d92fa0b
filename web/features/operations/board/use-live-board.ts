import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { Place } from '#web/lib/data/place.ts';
import { listenTo } from '#web/lib/realtime/live-tables.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { toBoardRows } from './board-rows.ts';
import { createLiveBoard } from './live-board.ts';
import {
  type BoardFilters,
  fetchPlace,
  fetchShifts,
  fetchShiftsAt,
  fetchWindow,
  firstWindowQuery,
} from './operations-api.ts';
import { BOARD_TABLES } from './seat-states.ts';

/** How soon a silent loss of the connection shows. */
const BEAT_MS = 10_000;
/** Well within the margin that is loaded ahead. */
const RELOAD_MS = 10 * 60_000;
/** A part has no news of the other posts but their alerts. */
const PART_RELOAD_MS = 30_000;

type LiveBoard = ReturnType<typeof createLiveBoard>;

/** Follows the changes of other people. @returns the function that stops it */
function keepUpToDate(live: LiveBoard) {
  let reloadedAt = Date.now();
  function beat() {
    // Without the socket no change arrives: the board then reads everything with each beat.
    const reloadMs = live.get().board?.part ? PART_RELOAD_MS : RELOAD_MS;
    const isDue = Date.now() - reloadedAt >= reloadMs;
    if (!isDue && supabase().realtime.isConnected()) return live.beat();
    reloadedAt = Date.now();
    return live.reload();
  }
  const look = () => document.visibilityState === 'visible' && beat();
  const stop = live.start();
  const timer = setInterval(beat, BEAT_MS);
  const leaves = BOARD_TABLES.map((table) =>
    listenTo(table, {
      changed: (change) => live.changed(table, change),
      live: () => live.changed(table),
    }),
  );
  addEventListener('online', live.reload);
  addEventListener('offline', live.lose);
  document.addEventListener('visibilitychange', look);
  return () => {
    stop();
    clearInterval(timer);
    for (const leave of leaves) leave();
    removeEventListener('online', live.reload);
    removeEventListener('offline', live.lose);
    document.removeEventListener('visibilitychange', look);
  };
}

/**
 * The board, kept up to date while the component is mounted.
 * @param open id of a shift that is shown whatever the filters
 */
export function useLiveBoard(filters: BoardFilters, open: string | undefined) {
  const queryClient = useQueryClient();
  const wanted = useRef(filters);
  const [live] = useState(() => {
    let isFirst = true;
    return createLiveBoard({
      fetchWindow: (now) => {
        if (!isFirst) return fetchWindow(now, wanted.current);
        isFirst = false;
        return queryClient.fetchQuery(firstWindowQuery);
      },
      fetchShifts,
    });
  });
  const state = useSyncExternalStore(live.subscribe, live.get);
  const { board } = state;
  const isPart = board?.part !== undefined;

  const { q, state: seats, client, supervisor, region, sites } = filters;
  const loaded = useRef('{}');
  useEffect(() => {
    wanted.current = { q, state: seats, client, supervisor, region, sites };
    const key = JSON.stringify(wanted.current);
    if (!isPart || loaded.current === key) return;
    loaded.current = key;
    live.reload();
  }, [live, isPart, q, seats, client, supervisor, region, sites]);

  useEffect(() => {
    if (isPart && open !== undefined && !board?.shifts.has(open)) live.want(open);
  }, [live, isPart, board, open]);

  useEffect(() => keepUpToDate(live), [live]);

  return { ...state, reload: live.reload };
}

/** The board of one site or client, kept up to date while the component is mounted. The place never changes. */
export function usePlaceBoard(place: Place) {
  const [live] = useState(() => {
    const source = createLiveBoard({
      fetchWindow: (now) => fetchPlace(place, now),
      fetchShifts: (ids) =>
        fetchShiftsAt(place, ids, Date.now() + (source.get().board?.offset ?? 0)),
    });
    return source;
  });
  const state = useSyncExternalStore(live.subscribe, live.get);
  useEffect(() => keepUpToDate(live), [live]);
  const { board } = state;
  const now = useNow(board?.offset ?? 0);
  const rows = useMemo(() => board && toBoardRows(board, now), [board, now]);
  return { ...state, rows, now, reload: live.reload };
}

export type PlaceBoard = ReturnType<typeof usePlaceBoard>;

/** How often times on the screen move. */
const TICK_MS = 5_000;

/** @param offset the server's clock minus the device's, milliseconds @returns the server's time, milliseconds */
export function useNow(offset: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now + offset;
}
