import type { CallOptions } from '../../database/callers.ts';

// The first ones are those of a Supabase project (Supabase docs, "Realtime Limits").

export const CHANNELS_PER_SOCKET = 100;
/** Joins of one socket. */
export const JOINS_PER_SECOND = 200;
/** Broadcast, presence and token messages of one socket; over HTTP, messages of one caller. */
export const MESSAGES_PER_SECOND = 1_000;
/** Sockets of one process. */
export const MAX_SOCKETS = 10_000;
/** Size of a broadcast request over HTTP. */
export const BROADCAST_BYTES = 3 * 1024 * 1024;
/** `postgres_changes` bindings of one channel. */
export const BINDINGS_PER_CHANNEL = 100;
/** Bytes buffered for a slow client, above which its socket is closed. */
export const MAX_BUFFERED_BYTES = 4 * 1024 * 1024;
/** Bytes buffered for all clients, above which the slowest sockets are closed. */
export const MAX_TOTAL_BUFFERED_BYTES = 256 * 1024 * 1024;
/** Frames of one socket waiting to be handled. */
export const MAX_QUEUED_FRAMES = 1_000;
/** A socket without any message, including heartbeats, is closed. */
export const SOCKET_IDLE_MS = 60_000;
/** Size of one change, above which only small values are sent. */
export const CHANGE_BYTES = 1024 * 1024;
/** For queries about changes: a filter's pattern or a policy could run forever. */
export const QUERY_OPTIONS: CallOptions = {
  readOnly: true,
  settings: [['statement_timeout', '5000']],
};
/** How long the reply to a join waits for the change stream, so that SUBSCRIBED means live. */
export const JOIN_WAIT_MS = 2_000;
/** How long to wait for clients to close when the server stops. */
export const SHUTDOWN_WAIT_MS = 300;
/** How long a client whose socket is closed may take to read the reason. */
export const CLOSE_WAIT_MS = 3_000;
/** Stored broadcasts that a join may request. */
export const REPLAYED_MESSAGES = 25;
/** Retention of stored broadcasts; the same as in the SQL function `maintain_partitions`. */
export const STORED_HOURS = 72;
/** Bytes waiting to be written for other processes, above which messages are dropped. */
export const MAX_QUEUED_PEER_BYTES = 8 * 1024 * 1024;
/** How long a new stream waits for the other processes to introduce themselves. */
export const PEERS_WAIT_MS = 1_000;
/** How often to check whether the other processes still exist. */
export const PEER_CHECK_MS = 10_000;
/** How often to check all sessions while the change stream reports ended ones. */
export const SESSION_CHECK_MS = 15_000;
export const SESSION_CHECK_WITHOUT_STREAM_MS = 1_000;
export const PARTITION_MAINTENANCE_MS = 60 * 60_000;
