// Writes rows as the JSON that json_agg builds of them, byte for byte, from the text format of the protocol. PostgreSQL looks
// up the type of every value of every row for it; here each column is looked up once.

export interface Column {
  name: string;
  /** OID of the type; that below a domain. */
  type: number;
}

type Kind = 'boolean' | 'json' | 'number' | 'plain' | 'text' | 'timestamp' | 'timestamptz';

/** Built-in types by their OID, which never changes (`pg_type.dat`). Of all others json_agg may use casts or parts. */
const TYPES: readonly [oid: number, name: string, kind: Kind][] = [
  [16, 'boolean', 'boolean'],
  [17, 'bytea', 'text'],
  [20, 'bigint', 'number'],
  [21, 'smallint', 'number'],
  [23, 'integer', 'number'],
  [25, 'text', 'text'],
  [114, 'json', 'json'],
  [700, 'real', 'number'],
  [701, 'double precision', 'number'],
  [1042, 'character', 'text'],
  [1043, 'character varying', 'text'],
  [1082, 'date', 'plain'],
  [1083, 'time without time zone', 'plain'],
  [1114, 'timestamp without time zone', 'timestamp'],
  [1184, 'timestamp with time zone', 'timestamptz'],
  [1700, 'numeric', 'number'],
  [2950, 'uuid', 'plain'],
  [3802, 'jsonb', 'json'],
];
const KINDS = new Map(TYPES.map(([oid, , kind]) => [oid, kind]));
const NAMES = new Set(TYPES.map(([, name]) => name));

/** @param type as `format_type` prints it, without a length */
export const isWritable = (type: string): boolean => NAMES.has(type);

/** A column changed its type after the request was planned. */
export class UnknownType extends Error {
  constructor(column: string) {
    super(`The type of the column "${column}" has changed.`);
  }
}

export class RowFormat {
  readonly kinds: readonly Kind[];
  /** Name of a column whose type is not known here. */
  readonly unknown: string | undefined;
  /** Before each value: the name, and the quote if the value has one. */
  readonly heads: readonly DataView[];
  /** Bytes that a row has besides its values, at most. */
  readonly frame: number;
  /** Bytes that the last result needed, as a first guess of the next. */
  lastSize = 1000;

  constructor(columns: readonly Column[]) {
    this.unknown = columns.find(({ type }) => !KINDS.has(type))?.name;
    this.kinds = columns.map(({ type }) => KINDS.get(type) ?? 'text');
    this.heads = columns.map(({ name }, at) => {
      const kind = this.kinds[at];
      const isQuoted = kind !== 'boolean' && kind !== 'json' && kind !== 'number';
      return viewOf(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:${isQuoted ? '"' : ''}`);
    });
    // `, \n {}`, and of each value the closing quote and the minutes of an offset, or null.
    this.frame = this.heads.reduce((sum, head) => sum + head.byteLength + 4, 6);
  }
}

function viewOf(text: string): DataView {
  const bytes = new TextEncoder().encode(text);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LETTER_T = 0x54;
const LETTER_LOWER_T = 0x74;
const OPEN = viewOf('[');
const BETWEEN = viewOf(', \n ');
const EMPTY = viewOf('{');
const NULL = viewOf('null');
const TRUE = viewOf('true');
const FALSE = viewOf('false');
const MINUTES = viewOf(':00');

/** From here on a call of native code is faster than a loop. */
const LONG = 84;

/** Connections read into one buffer (`MessageReader`), so its view is made once. */
let seen: DataView = new DataView(new ArrayBuffer(0));

function viewOfAll({ buffer }: Buffer): DataView {
  if (seen.buffer !== buffer) seen = new DataView(buffer);
  return seen;
}

/**
 * The array of one result, written row by row. Copies four bytes at a time: most values are too short for a call of native
 * code, and a loop over single bytes takes twice as long.
 */
export class JsonRows {
  #bytes: Buffer;
  #to: DataView;
  #at = 0;
  /** End of the row that is being added. */
  #rowEnd = 0;
  #needed = 0;
  count = 0;

  constructor(private readonly format: RowFormat) {
    // A little more, so that a similar result needs no second buffer.
    this.#bytes = Buffer.allocUnsafe(Math.ceil(format.lastSize * 1.02));
    this.#to = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
    this.#putAll(OPEN);
  }

  /** Bytes so far. */
  get size(): number {
    return this.#at;
  }

  /** @returns the whole array */
  end(): Buffer {
    this.#reserve(1);
    this.#byte(0x5d);
    this.format.lastSize = this.#needed;
    return this.#bytes.subarray(0, this.#at);
  }

  /** Adds a row: the body of a DataRow in `bytes`, a count and each value with its length (PostgreSQL docs, "Message Formats"). */
  add(bytes: Buffer, start: number, end: number): void {
    const { kinds, heads, frame } = this.format;
    const from = viewOfAll(bytes);
    this.#reserve(end - start + frame);
    this.#rowEnd = bytes.byteOffset + end;
    if (this.count > 0) this.#putAll(BETWEEN);
    this.count += 1;
    if (kinds.length === 0) this.#putAll(EMPTY);
    let at = bytes.byteOffset + start + 2;
    for (let column = 0; column < kinds.length; column += 1) {
      const head = heads[column] ?? EMPTY;
      this.#putAll(head);
      const length = from.getInt32(at);
      at += 4;
      if (length < 0) this.#null(head);
      else {
        this.#value(kinds[column], from, at, at + length);
        at += length;
      }
    }
    this.#byte(0x7d);
  }

  #reserve(more: number): void {
    const needed = this.#at + more;
    if (needed > this.#needed) this.#needed = needed;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, needed));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
    this.#to = new DataView(larger.buffer, larger.byteOffset, larger.length);
  }

  #byte(code: number): void {
    this.#to.setUint8(this.#at, code);
    this.#at += 1;
  }

  #putAll(from: DataView): void {
    this.#put(from, 0, from.byteLength);
  }

  #put(from: DataView, start: number, end: number): void {
    const to = this.#to;
    let at = this.#at;
    this.#at += end - start;
    if (end - start >= LONG) {
      this.#bytes.set(new Uint8Array(from.buffer, from.byteOffset + start, end - start), at);
      return;
    }
    let i = start;
    // The order of the bytes doesn't matter; this one needs no swap.
    for (; i + 4 <= end; i += 4, at += 4) to.setInt32(at, from.getInt32(i, true), true);
    for (; i < end; i += 1, at += 1) to.setInt8(at, from.getInt8(i));
  }

  #null(head: DataView): void {
    if (head.getUint8(head.byteLength - 1) === QUOTE) this.#at -= 1;
    this.#putAll(NULL);
  }

  #value(kind: Kind | undefined, from: DataView, start: number, end: number): void {
    if (kind === 'json') this.#put(from, start, end);
    else if (kind === 'number') this.#number(from, start, end);
    else if (kind === 'boolean') {
      this.#putAll(from.getUint8(start) === LETTER_LOWER_T ? TRUE : FALSE);
    } else {
      if (kind === 'text') this.#text(from, start, end);
      else if (kind === 'timestamptz') this.#time(from, start, end, true);
      else if (kind === 'timestamp') this.#time(from, start, end, false);
      else this.#put(from, start, end);
      this.#byte(QUOTE);
    }
  }

  /** NaN and Infinity become strings. */
  #number(from: DataView, start: number, end: number): void {
    const first = from.getUint8(start);
    const digit = first === MINUS ? from.getUint8(start + 1) : first;
    const isNumber = digit >= ZERO && digit <= NINE;
    if (!isNumber) this.#byte(QUOTE);
    this.#put(from, start, end);
    if (!isNumber) this.#byte(QUOTE);
  }

  #text(from: DataView, start: number, end: number): void {
    let clean = start;
    for (let i = start; i < end; i += 1) {
      const code = from.getUint8(i);
      if (code !== QUOTE && code !== BACKSLASH && code >= SPACE) continue;
      this.#put(from, clean, i);
      clean = i + 1;
      const escaped = viewOf(JSON.stringify(String.fromCharCode(code)).slice(1, -1));
      // The space reserved for the row has room for one byte.
      this.#reserve(escaped.byteLength + this.#rowEnd - clean + this.format.frame);
      this.#putAll(escaped);
    }
    this.#put(from, clean, end);
  }

  /** From DateStyle ISO to XML Schema: `T` between date and time, an offset with its minutes. `infinity` stays. */
  #time(from: DataView, start: number, end: number, hasOffset: boolean): void {
    const to = this.#at;
    this.#put(from, start, end);
    let space = start + 10;
    // Years of more than four digits are rare.
    while (space < end && from.getUint8(space) !== SPACE) space += 1;
    if (space >= end) return;
    this.#to.setUint8(to + space - start, LETTER_T);
    if (!hasOffset) return;
    // The offset begins with the last sign; years before Christ follow it.
    let sign = end - 1;
    while (sign > space && from.getUint8(sign) !== MINUS && from.getUint8(sign) !== PLUS) sign -= 1;
    const minutes = sign + 3;
    if (minutes < end && from.getUint8(minutes) !== SPACE) return;
    this.#at = to + minutes - start;
    this.#putAll(MINUTES);
    this.#put(from, minutes, end);
  }
}
