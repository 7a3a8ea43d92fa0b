// Tells a question that the database refused from a database that is away.
import { DatabaseError } from 'pg';

/** SQLSTATE classes that say the database is away or broken, not that a question was wrong. */
const AWAY = /^(08|53|57P|58|XX)/;

export function isRefused(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && !AWAY.test(error.code ?? '');
}
