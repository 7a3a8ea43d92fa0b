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

/** What the rows of one statement have in common. */
export class RowFormat {
  readonly kinds: readonly Kind[];
  /** Name of a column whose type is not known here. */
  readonly unknown: string | undefined;
  /** Before each value: the name, and the quote if the value has one. */
  readonly heads: readonly Buffer[];
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
      return Buffer.from(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:${isQuoted ? '"' : ''}`);
    });
    // `, \n {}`, and of each value the closing quote and the minutes of an offset, or null.
    this.frame = this.heads.reduce((sum, head) => sum + head.length + 4, 6);
  }
}

const QUOTE = 0x22;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_T = 0x54;
const LETTER_LOWER_T = 0x74;
const NULL = Buffer.from('null');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');
const BETWEEN = Buffer.from(', \n ');
const MINUTES = Buffer.from(':00');

/** Up to here a loop is faster than a call of native code. */
const SHORT = 96;

const isDigit = (code: number | undefined): boolean =>
  code !== undefined && code >= ZERO && code <= NINE;

/** The array of one result, written row by row. */
export class JsonRows {
  #bytes: Buffer;
  #at = 1;
  /** End of the row that is being added. */
  #rowEnd = 0;
  #needed = 0;
  count = 0;

  constructor(private readonly format: RowFormat) {
    // A little more, so that a similar result needs no second buffer.
    this.#bytes = Buffer.allocUnsafe(Math.ceil(format.lastSize * 1.02));
    this.#bytes[0] = 0x5b;
  }

  /** Bytes so far. */
  get size(): number {
    return this.#at;
  }

  /** @returns the whole array */
  end(): Buffer {
    this.#reserve(1);
    this.#bytes[this.#at++] = 0x5d;
    this.format.lastSize = this.#needed;
    return this.#bytes.subarray(0, this.#at);
  }

  /** Adds a row: the body of a DataRow in `from`, a count and each value with its length (PostgreSQL docs, "Message Formats"). */
  add(from: Buffer, start: number, end: number): void {
    const { kinds, heads, frame } = this.format;
    this.#reserve(end - start + frame);
    this.#rowEnd = end;
    if (this.count > 0) this.#put(BETWEEN, 0, BETWEEN.length);
    this.count += 1;
    if (kinds.length === 0) this.#bytes[this.#at++] = 0x7b;
    let at = start + 2;
    for (let column = 0; column < kinds.length; column += 1) {
      const head = heads[column] ?? NULL;
      this.#put(head, 0, head.length);
      const length = from.readInt32BE(at);
      at += 4;
      if (length < 0) this.#null(head);
      else {
        this.#value(kinds[column], from, at, at + length);
        at += length;
      }
    }
    this.#bytes[this.#at++] = 0x7d;
  }

  #reserve(more: number): void {
    const needed = this.#at + more;
    if (needed > this.#needed) this.#needed = needed;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, needed));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }

  #put(from: Buffer, start: number, end: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    if (end - start > SHORT) at += from.copy(bytes, at, start, end);
    else for (let i = start; i < end; i += 1) bytes[at++] = from[i] ?? 0;
    this.#at = at;
  }

  #null(head: Buffer): void {
    if (head[head.length - 1] === QUOTE) this.#at -= 1;
    this.#put(NULL, 0, NULL.length);
  }

  #value(kind: Kind | undefined, from: Buffer, start: number, end: number): void {
    if (kind === 'json') this.#put(from, start, end);
    else if (kind === 'number') this.#number(from, start, end);
    else if (kind === 'boolean') {
      const word = from[start] === LETTER_LOWER_T ? TRUE : FALSE;
      this.#put(word, 0, word.length);
    } else {
      if (kind === 'text') this.#text(from, start, end);
      else if (kind === 'timestamptz') this.#time(from, start, end, true);
      else if (kind === 'timestamp') this.#time(from, start, end, false);
      else this.#put(from, start, end);
      this.#bytes[this.#at++] = QUOTE;
    }
  }

  /** NaN and Infinity become strings. */
  #number(from: Buffer, start: number, end: number): void {
    const isNumber = isDigit(from[from[start] === MINUS ? start + 1 : start]);
    if (!isNumber) this.#bytes[this.#at++] = QUOTE;
    this.#put(from, start, end);
    if (!isNumber) this.#bytes[this.#at++] = QUOTE;
  }

  #text(from: Buffer, start: number, end: number): void {
    let clean = start;
    for (let i = start; i < end; i += 1) {
      const code = from[i] ?? 0;
      if (code !== QUOTE && code !== BACKSLASH && code >= SPACE) continue;
      this.#put(from, clean, i);
      clean = i + 1;
      const escaped = Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1));
      // What is reserved for the row has room for one byte.
      this.#reserve(escaped.length + this.#rowEnd - clean + this.format.frame);
      this.#put(escaped, 0, escaped.length);
    }
    this.#put(from, clean, end);
  }

  /** From DateStyle ISO to XML Schema: `T` between date and time, an offset with its minutes. `infinity` stays. */
  #time(from: Buffer, start: number, end: number, hasOffset: boolean): void {
    // Years of more than four digits are rare.
    const space = from[start + 10] === SPACE ? start + 10 : from.indexOf(SPACE, start);
    const to = this.#at;
    this.#put(from, start, end);
    if (space < 0 || space >= end) return;
    this.#bytes[to + space - start] = LETTER_T;
    if (!hasOffset) return;
    // The offset begins with the last sign; years before Christ follow it.
    let sign = end - 1;
    while (sign > space && from[sign] !== MINUS && from[sign] !== 0x2b) sign -= 1;
    const minutes = sign + 3;
    if (minutes < end && from[minutes] !== SPACE) return;
    this.#at = to + minutes - start;
    this.#put(MINUTES, 0, MINUTES.length);
    this.#put(from, minutes, end);
  }
}
