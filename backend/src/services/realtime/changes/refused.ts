import { DatabaseError } from 'pg';

/** SQLSTATE classes of an unavailable or broken database. */
const UNAVAILABLE = /^(08|53|57P|58|XX)/;

/** Whether the database rejected a query, as opposed to being unavailable. */
export function isRejected(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && !UNAVAILABLE.test(error.code ?? '');
}
