import { DatabaseError } from 'pg';

/** @param row body of a DataRow: a count, then each value with its length */
export function decodeRow(row: Buffer): (string | null)[] {
  const cells: (string | null)[] = [];
  let at = 2;
  for (let left = row.readUInt16BE(0); left > 0; left -= 1) {
    const length = row.readInt32BE(at);
    at += 4;
    if (length < 0) cells.push(null);
    else {
      cells.push(row.toString('utf8', at, at + length));
      at += length;
    }
  }
  return cells;
}

/**
 * Like `decodeRow`, but returns a first value of at least `minBytes` as bytes: text that is only passed through need not
 * become a string and bytes again.
 * @param isOwned whether the row's memory stays valid, so that the value need not be copied
 */
export function decodeRowWithBytes(
  row: Buffer,
  minBytes: number,
  isOwned: boolean,
): { cells: (string | null)[]; bytes: Buffer | undefined } {
  const length = row.readUInt16BE(0) === 0 ? -1 : row.readInt32BE(2);
  if (length < minBytes) return { cells: decodeRow(row), bytes: undefined };
  const view = row.subarray(6, 6 + length);
  const bytes = isOwned ? view : Buffer.from(view);
  const rest = Buffer.allocUnsafe(row.length - length);
  row.copy(rest, 0, 0, 2);
  rest.writeInt32BE(0, 2);
  row.copy(rest, 6, 6 + length);
  return { cells: decodeRow(rest), bytes };
}

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
