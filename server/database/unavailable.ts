// Tells a database that is away, for example while it restarts, from a statement that it refused.
import { DatabaseError } from 'pg';

/** Seconds after which a client may try again: a restart takes about that long. */
export const RETRY_AFTER_S = 1;

/** Connection exceptions, too many connections, shutting down, crashed, starting. */
const AWAY = /^(08|53300|57P0[1-3])/;
/** In pg's words, which have no code. */
const CUT_OFF =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;
const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) return AWAY.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  if (CUT_OFF.test(error.message)) return true;
  const { code = '', syscall }: NodeJS.ErrnoException = error;
  // The socket file of a PostgreSQL that is down does not exist.
  return NETWORK.test(code) || (code === 'ENOENT' && syscall === 'connect');
}
