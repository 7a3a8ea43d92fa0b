import { DatabaseError } from 'pg';

/** Properties by field code (PostgreSQL docs, "Error and Notice Message Fields"). */
const FIELDS = {
  S: 'severity',
  C: 'code',
  D: 'detail',
  H: 'hint',
  P: 'position',
  p: 'internalPosition',
  q: 'internalQuery',
  W: 'where',
  s: 'schema',
  t: 'table',
  c: 'column',
  d: 'dataType',
  n: 'constraint',
  F: 'file',
  L: 'line',
  R: 'routine',
} as const;

const isField = (code: string): code is keyof typeof FIELDS => Object.hasOwn(FIELDS, code);

/** @param body of an ErrorResponse */
export function decodeError(body: Buffer): DatabaseError {
  const found = new Map<string, string>();
  for (let at = 0; at < body.length && body[at] !== 0; ) {
    const end = body.indexOf(0, at + 1);
    found.set(String.fromCharCode(body[at] ?? 0), body.toString('utf8', at + 1, end));
    at = end + 1;
  }
  const error = new DatabaseError(found.get('M') ?? '', body.length, 'error');
  for (const [code, text] of found) {
    if (isField(code)) error[FIELDS[code]] = text;
  }
  return error;
}
