// The limits of the service (PROTOCOL.md 3.2), in one place.

/** Channels of one socket. */
export const CHANNELS_PER_SOCKET = 100;
/** Joins of one socket within a second. */
export const JOINS_PER_SECOND = 200;
/** `postgres_changes` bindings of one channel. */
export const BINDINGS_PER_CHANNEL = 100;
/** Bytes that may wait for a client that reads slowly; beyond, it is dropped and comes back by itself. */
export const WAITING_BYTES = 4 * 1024 * 1024;
/** Frames of one socket that may wait to be handled. */
export const WAITING_FRAMES = 1_000;
/** A socket that says nothing for so long, not even a heartbeat, is gone. */
export const SILENCE_MS = 60_000;
/** Bytes of one change; beyond, only small values are sent. */
export const CHANGE_BYTES = 1024 * 1024;
/** How long one question about changes may take: a filter's pattern or a policy could run for ever. */
export const QUESTION_MS = 5_000;
/** How long the answer to a join waits for the stream of changes, so that SUBSCRIBED means live. */
export const LIVE_WAIT_MS = 2_000;
/** How long a client may take to answer when the server stops. */
export const GOODBYE_MS = 300;
/** How long a client that is dropped may take to read why. */
export const FAREWELL_MS = 3_000;
