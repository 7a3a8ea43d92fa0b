// One realtime channel for the rows of a table on screen, shared by all lists and kept open for a while after the last one closes.
import type { Database } from '#shared/database.types.ts';
import { backend } from '../supabase/client.ts';

type Tables = Database['public']['Tables'];
export type TableName = keyof Tables;

/** All rows of a table that the user may read, or those that meet a filter of `postgres_changes`. */
export type LiveRows = TableName | { table: TableName; filter: string };

type OwnTable = {
  [Name in TableName]: Tables[Name]['Row'] extends { user_id: string | null } ? Name : never;
}[TableName];

/**
 * One person's rows. Without a filter the server asks PostgreSQL, for each phone that listens, whether it may read a change.
 * @param userId undefined while nobody is signed in: no rows
 */
export function ownRows(userId: string | undefined, ...tables: OwnTable[]): LiveRows[] {
  if (userId === undefined) return [];
  return tables.map((table) => ({ table, filter: `user_id=eq.${userId}` }));
}

/** A change as the server sent it: of a deleted row, the columns of its replica identity. */
export type RowChange = {
  eventType: 'INSERT' | 'UPDATE' | 'DELETE';
  new: Readonly<Record<string, unknown>>;
  old: Readonly<Record<string, unknown>>;
};

export interface Listener {
  /** A row was inserted, updated or deleted. Without a change: some may have been missed. */
  changed(change?: RowChange): void;
  /** The subscription is active. Rows fetched before may lack a change. */
  live(): void;
}

/** Users switch back and forth between a few screens. */
const LINGER_MS = 60_000;
/** Longer than the time between fetching rows and the active subscription. */
const OPENING_MS = 5_000;

type LiveTable = {
  listeners: Set<Listener>;
  changedAt: number;
  /** How long the channel stays open after its last listener, milliseconds. */
  lingerMs: number;
  leave: () => void;
  leaving?: ReturnType<typeof setTimeout>;
};

const tables = new Map<string, LiveTable>();
let joined = 0;

const keyOf = (rows: LiveRows): string =>
  typeof rows === 'string' ? rows : `${rows.table} ${rows.filter}`;

function join(rows: LiveRows): LiveTable {
  const binding = typeof rows === 'string' ? { table: rows } : rows;
  const { table } = binding;
  const live: LiveTable = {
    listeners: new Set(),
    changedAt: Number.NEGATIVE_INFINITY,
    lingerMs: LINGER_MS,
    leave,
  };
  const seen = new Set<string>();
  let isLeft = false;
  let remove = () => {};
  backend.onOpen(async (client) => {
    // A channel that joins before realtime-js has read the session joins as a visitor, and stays one.
    await client.realtime.setAuth();
    if (isLeft) return;
    // A new topic each time: a topic can't be joined again until leaving it has finished.
    joined += 1;
    const channel = client
      .channel(`live:${table}:${joined}`)
      .on('postgres_changes', { event: '*', schema: 'public', ...binding }, (change) =>
        changed(change),
      )
      // The server's replication stream is back. The channel stayed joined, but changes in between were not sent.
      .on('system', {}, (message: { extension?: string; status?: string }) => {
        if (message.extension === 'postgres_changes' && message.status === 'ok') reached('stream');
      })
      .subscribe((status, error) => {
        // Also after reconnecting: changes in between were not sent.
        if (status === 'SUBSCRIBED') reached('channel');
        else if (error) console.warn(`Live changes of ${table} are unavailable:`, error.message);
      });
    remove = () => void client.removeChannel(channel);
  });

  function changed(change?: RowChange) {
    live.changedAt = performance.now();
    for (const listener of live.listeners) listener.changed(change);
  }

  function reached(what: string) {
    if (seen.has(what)) changed();
    else for (const listener of live.listeners) listener.live();
    seen.add(what);
  }

  function leave() {
    clearTimeout(live.leaving);
    tables.delete(keyOf(rows));
    isLeft = true;
    remove();
  }

  tables.set(keyOf(rows), live);
  return live;
}

/** @returns the function that unsubscribes */
export function listenTo(rows: LiveRows, listener: Listener): () => void {
  const live = tables.get(keyOf(rows)) ?? join(rows);
  clearTimeout(live.leaving);
  live.listeners.add(listener);
  // The listener's rows may have been fetched just before this change.
  if (performance.now() - live.changedAt < OPENING_MS) listener.changed();
  return () => {
    live.listeners.delete(listener);
    if (live.listeners.size > 0) return;
    clearTimeout(live.leaving);
    live.leaving = setTimeout(live.leave, live.lingerMs);
  };
}

/** After a user has signed out: closes unused channels now, and the others with their last listener. */
export function leaveUnusedTables(): void {
  for (const live of [...tables.values()]) {
    live.lingerMs = 0;
    if (live.listeners.size === 0) live.leave();
  }
}
