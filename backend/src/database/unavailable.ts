import { DatabaseError } from 'pg';

/** Seconds for Retry-After: a restart takes about that long. */
export const RETRY_AFTER_S = 1;

/** SQLSTATEs: connection exceptions, too many connections, shutting down, crashed, starting. */
const UNAVAILABLE = /^(08|53300|57P0[1-3])/;
/** Messages of pg that have no code. */
const DISCONNECTED =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;
const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

/** Whether the database can't be reached, for example while it restarts, as opposed to refusing a statement. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) return UNAVAILABLE.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  if (DISCONNECTED.test(error.message)) return true;
  const { code = '', syscall }: NodeJS.ErrnoException = error;
  // The Unix socket of a stopped PostgreSQL does not exist.
  return NETWORK.test(code) || (code === 'ENOENT' && syscall === 'connect');
}

/** SQLSTATE classes of an unavailable or broken database. */
const BROKEN = /^(08|53|57P|58|XX)/;

/** Whether the database rejected a statement, as opposed to being unavailable or broken. */
export function isRejected(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && !BROKEN.test(error.code ?? '');
}
