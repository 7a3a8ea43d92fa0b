// Encodes an exchange into one buffer, so that it is one write to the socket (PostgreSQL docs, "Message Formats").
// All parameters and results are in text format.
import { DatabaseError } from 'pg';

export interface Step {
  name: string;
  text: string;
  values: readonly (string | null)[];
  /** Must be parsed first. */
  isNew: boolean;
  /** Name of another statement to close. */
  evicted: string | undefined;
}

const CODE = { parse: 0x50, bind: 0x42, describe: 0x44, execute: 0x45, close: 0x43, sync: 0x53 };
const STATEMENT = 0x53;
const PORTAL = 0x50;

function sizeOf(steps: readonly Step[]): number {
  let size = 5;
  for (const { name, text, values, isNew, evicted } of steps) {
    if (evicted !== undefined) size += 7 + evicted.length;
    // Names are ours and ASCII.
    if (isNew) size += 1 + 4 + name.length + 1 + Buffer.byteLength(text) + 1 + 2 + 7;
    size += 1 + 4 + 1 + name.length + 1 + 2 + 2 + 2 + 10;
    for (const value of values) size += 4 + (value === null ? 0 : Buffer.byteLength(value));
  }
  return size;
}

/** @returns the messages of all steps and one Sync */
export function encodeExchange(steps: readonly Step[]): Buffer {
  const bytes = Buffer.allocUnsafe(sizeOf(steps));
  let at = 0;
  const begin = (code: number): number => {
    bytes[at] = code;
    at += 5;
    return at - 4;
  };
  const end = (start: number): void => {
    bytes.writeInt32BE(at - start, start);
  };
  const put = (text: string): void => {
    at += bytes.write(text, at);
    bytes[at] = 0;
    at += 1;
  };
  const int16 = (value: number): void => {
    at = bytes.writeUInt16BE(value, at);
  };
  for (const { name, text, values, isNew, evicted } of steps) {
    if (evicted !== undefined) {
      const start = begin(CODE.close);
      bytes[at++] = STATEMENT;
      put(evicted);
      end(start);
    }
    if (isNew) {
      const start = begin(CODE.parse);
      put(name);
      put(text);
      int16(0);
      end(start);
    }
    const bind = begin(CODE.bind);
    put('');
    put(name);
    int16(0);
    int16(values.length);
    for (const value of values) {
      if (value === null) at = bytes.writeInt32BE(-1, at);
      else {
        const length = bytes.write(value, at + 4);
        at = bytes.writeInt32BE(length, at) + length;
      }
    }
    int16(0);
    end(bind);
    // The columns of a known statement can't change: PostgreSQL would reject it ("cached plan must not change").
    if (isNew) {
      const start = begin(CODE.describe);
      bytes[at++] = PORTAL;
      put('');
      end(start);
    }
    const execute = begin(CODE.execute);
    put('');
    at = bytes.writeInt32BE(0, at);
    end(execute);
  }
  end(begin(CODE.sync));
  return bytes;
}

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
