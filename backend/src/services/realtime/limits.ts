// The limits of the service (PROTOCOL.md 3.2), in one place.

/** Channels of one socket. */
export const CHANNELS_PER_SOCKET = 100;
/** Joins of one socket within a second. */
export const JOINS_PER_SECOND = 200;
/** Broadcasts, presences and tokens of one socket within a second; over HTTP, messages of one caller. */
export const MESSAGES_PER_SECOND = 1_000;
/** Sockets of one process. */
export const SOCKETS = 10_000;
/** Bytes of one request that broadcasts. */
export const BROADCAST_BYTES = 3 * 1024 * 1024;
/** `postgres_changes` bindings of one channel. */
export const BINDINGS_PER_CHANNEL = 100;
/** Bytes that may wait for a client that reads slowly; beyond, it is dropped and comes back by itself. */
export const WAITING_BYTES = 4 * 1024 * 1024;
/** Bytes that may wait for all clients together; beyond, those with most are dropped. */
export const WAITING_BYTES_OF_ALL = 256 * 1024 * 1024;
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
/** Stored broadcasts that a join may ask for (PROTOCOL.md 3.3). */
export const REPLAYED_MESSAGES = 25;
/** How long stored broadcasts are kept. The schema's `tidy_messages` holds the same. */
export const STORED_HOURS = 72;
/** Bytes that may wait to be written for other processes; beyond, messages are dropped. */
export const WAITING_FOR_LOG_BYTES = 8 * 1024 * 1024;
/** How long a beginning stream waits for the other processes to introduce themselves. */
export const PEERS_WAIT_MS = 1_000;
/** How often it is looked whether the other processes are still there. */
export const PEER_CHECK_MS = 10_000;
/** How often all sessions are checked while the stream of changes tells of ended ones. */
export const ACCESS_CHECK_MS = 15_000;
/** The same while there is no stream. */
export const ACCESS_CHECK_WITHOUT_STREAM_MS = 1_000;
/** How often stored broadcasts are tidied up. */
export const TIDY_MS = 60 * 60_000;
