// One channel for each table that is on screen, however many lists show it; kept for a while, for whoever comes back.
import type { Database } from '#shared/database.types.ts';
import { onReady } from '../supabase/client.ts';

export type TableName = keyof Database['public']['Tables'];

export interface Listener {
  /** A row was added, changed or deleted, or that may have been missed. */
  changed(): void;
  /** From now on changes are told. What was asked for before may lack one. */
  live(): void;
}

/** People go back and forth between two or three screens. */
const KEPT_MS = 60_000;
/** Longer than it takes from asking for rows to listening for their changes. */
const OPENING_MS = 5_000;

type LiveTable = {
  listeners: Set<Listener>;
  changedAt: number;
  /** How long it is kept once nobody shows it, milliseconds. */
  keptMs: number;
  leave: () => void;
  leaving?: ReturnType<typeof setTimeout>;
};

const tables = new Map<TableName, LiveTable>();
let joined = 0;

function join(table: TableName): LiveTable {
  const live: LiveTable = {
    listeners: new Set(),
    changedAt: Number.NEGATIVE_INFINITY,
    keptMs: KEPT_MS,
    leave,
  };
  const told = new Set<string>();
  let remove = () => {};
  const forget = onReady((client) => {
    // Its own topic each time: leaving is not immediate, and a topic can't be joined again until it is done.
    joined += 1;
    const channel = client
      .channel(`live:${table}:${joined}`)
      .on('postgres_changes', { event: '*', schema: 'public', table }, changed)
      // The server's own stream was down and is back: the channel stayed joined, but changes in between were not sent.
      .on('system', {}, (message: { extension?: string; status?: string }) => {
        if (message.extension === 'postgres_changes' && message.status === 'ok') reached('stream');
      })
      .subscribe((status, error) => {
        // Also after a lost connection has come back: what changed meanwhile was never announced.
        if (status === 'SUBSCRIBED') reached('channel');
        else if (error) console.warn(`No live changes of ${table} for now:`, error.message);
      });
    remove = () => void client.removeChannel(channel);
  });

  function changed() {
    live.changedAt = performance.now();
    for (const listener of live.listeners) listener.changed();
  }

  function reached(what: string) {
    if (told.has(what)) changed();
    else for (const listener of live.listeners) listener.live();
    told.add(what);
  }

  function leave() {
    clearTimeout(live.leaving);
    tables.delete(table);
    forget();
    remove();
  }

  tables.set(table, live);
  return live;
}

/** @returns what ends it */
export function listenTo(table: TableName, listener: Listener): () => void {
  const live = tables.get(table) ?? join(table);
  clearTimeout(live.leaving);
  live.listeners.add(listener);
  // Its rows may have been asked for just before.
  if (performance.now() - live.changedAt < OPENING_MS) listener.changed();
  return () => {
    live.listeners.delete(listener);
    if (live.listeners.size > 0) return;
    clearTimeout(live.leaving);
    live.leaving = setTimeout(live.leave, live.keptMs);
  };
}

/** Keeps nothing of a person who has left: what nobody shows is left at once, and the rest with its last list. */
export function keepNoTables(): void {
  for (const live of [...tables.values()]) {
    live.keptMs = 0;
    if (live.listeners.size === 0) live.leave();
  }
}
