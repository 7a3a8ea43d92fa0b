import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { listenTo } from '#web/lib/realtime/live-tables.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { createLiveBoard } from './live-board.ts';
import { fetchShifts, fetchWindow, firstWindowQuery } from './operations-api.ts';
import { BOARD_TABLES } from './seat-states.ts';

/** How soon a silent loss of the connection shows. */
const BEAT_MS = 10_000;
/** Well within the margin that is loaded ahead. */
const RELOAD_MS = 10 * 60_000;

/** The board, kept up to date while the component is mounted. */
export function useLiveBoard() {
  const queryClient = useQueryClient();
  const [live] = useState(() => {
    let isFirst = true;
    return createLiveBoard({
      fetchWindow: (now) => {
        if (!isFirst) return fetchWindow(now);
        isFirst = false;
        return queryClient.fetchQuery(firstWindowQuery);
      },
      fetchShifts,
    });
  });
  const state = useSyncExternalStore(live.subscribe, live.get);

  useEffect(() => {
    let reloadedAt = Date.now();
    function beat() {
      // Without the socket no change arrives: the board then reads everything with each beat.
      const isDue = Date.now() - reloadedAt > RELOAD_MS;
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
  }, [live]);

  return { ...state, reload: live.reload };
}

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
