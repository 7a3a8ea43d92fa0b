// Writes rows as they arrive as one JSON array, byte for byte as PostgreSQL's json_agg would, which takes half of
// PostgreSQL's time for a list. Only types whose text is nearly their JSON; statements convert others to json.

type Kind = 'raw' | 'quoted' | 'text' | 'boolean' | 'decimal' | 'date';

/** Kind by the type's id, and by its name in format_type: ids below 10,000 are the same in every database. */
const TYPES: [name: string, id: number, kind: Kind][] = [
  ['boolean', 16, 'boolean'],
  ['bigint', 20, 'raw'],
  ['smallint', 21, 'raw'],
  ['integer', 23, 'raw'],
  ['text', 25, 'text'],
  ['json', 114, 'raw'],
  ['real', 700, 'decimal'],
  ['double precision', 701, 'decimal'],
  ['character varying', 1043, 'text'],
  ['date', 1082, 'date'],
  ['timestamp without time zone', 1114, 'date'],
  ['timestamp with time zone', 1184, 'date'],
  ['numeric', 1700, 'decimal'],
  ['uuid', 2950, 'quoted'],
  ['jsonb', 3802, 'raw'],
];
const KINDS = new Map(TYPES.map(([, id, kind]) => [id, kind]));
const NAMES = new Set(TYPES.map(([name]) => name));

/** @param type as format_type names it, without length, below domains */
export const isWritten = (type: string): boolean => NAMES.has(type);

export interface ColumnType {
  name: string;
  /** Object id of the type, below domains. */
  type: number;
}

/** A column has a type that is not written here: the schema has changed since the statement was composed. */
export class UnknownType extends Error {
  constructor({ name, type }: ColumnType) {
    super(`Column ${name} has type ${type}, whose JSON PostgreSQL must write.`);
  }
}

export interface Writer {
  /** What precedes the value: the separator and the key. */
  key: Buffer;
  kind: Kind;
}

/** @throws UnknownType */
export function writersOf(columns: readonly ColumnType[]): Writer[] {
  return columns.map((column, index) => {
    const kind = KINDS.get(column.type);
    if (kind === undefined) throw new UnknownType(column);
    return {
      key: Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(column.name)}:`),
      kind,
    };
  });
}

const [NULL, TRUE, FALSE] = [Buffer.from('null'), Buffer.from('true'), Buffer.from('false')];
const [OPEN, CLOSE, END] = [Buffer.from('{'), Buffer.from('}'), Buffer.from(']')];
/** As json_agg writes it. */
const BETWEEN_ROWS = Buffer.from(', \n ');
const MINUTES = Buffer.from(':00');

const [QUOTE, BACKSLASH, SPACE, COLON, PLUS, MINUS] = [0x22, 0x5c, 0x20, 0x3a, 0x2b, 0x2d];
const [ZERO, NINE, LETTER_T, LETTER_T_CAPITAL] = [0x30, 0x39, 0x74, 0x54];

/** By character code. JSON.stringify uses the same as PostgreSQL. */
const ESCAPES = Array.from({ length: BACKSLASH + 1 }, (_, code) =>
  Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)),
);

const isEscaped = (byte: number): boolean => byte < SPACE || byte === QUOTE || byte === BACKSLASH;

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= ZERO && byte <= NINE;

/** Bytes that `\u00xx` has more than the character. */
const LONGEST_ESCAPE = 5;

/** Room for what may follow a value without being asked for. */
const SPARE = 8;

export class JsonRows {
  #out: Buffer;
  #at = 0;
  #count = 0;

  /** @param size expected bytes of the array */
  constructor(
    private readonly writers: readonly Writer[],
    size: number,
  ) {
    this.#out = Buffer.allocUnsafe(Math.ceil(size * 1.1) + 256);
    this.#out[0] = 0x5b;
    this.#at = 1;
  }

  get bytes(): number {
    return this.#at;
  }

  /** @param row body of a DataRow; valid only during the call */
  add(row: Buffer): void {
    if (this.#count > 0) this.#put(BETWEEN_ROWS);
    this.#count += 1;
    if (this.writers.length === 0) this.#put(OPEN);
    let at = 2;
    for (const { key, kind } of this.writers) {
      const length = row.readInt32BE(at);
      at += 4;
      this.#put(key);
      if (length < 0) this.#put(NULL);
      else {
        this.#value(row, at, at + length, kind);
        at += length;
      }
    }
    this.#put(CLOSE);
  }

  end(): Buffer {
    this.#put(END);
    return this.#out.subarray(0, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#out.length * 2, this.#at + bytes));
    this.#out.copy(larger, 0, 0, this.#at);
    this.#out = larger;
  }

  #put(bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#copy(bytes, 0, bytes.length);
  }

  /** Into what is reserved. A loop is faster than `copy` for the few bytes of most values. */
  #copy(from: Buffer, start: number, end: number): void {
    const out = this.#out;
    let at = this.#at;
    if (end - start > 128) at += from.copy(out, at, start, end);
    else for (let i = start; i < end; i += 1) out[at++] = from[i] ?? 0;
    this.#at = at;
  }

  #value(row: Buffer, start: number, end: number, kind: Kind): void {
    this.#reserve(end - start + SPARE);
    if (kind === 'text') this.#text(row, start, end);
    else if (kind === 'date') this.#date(row, start, end);
    else if (kind === 'boolean') this.#put(row[start] === LETTER_T ? TRUE : FALSE);
    // JSON has no numbers for NaN and infinity.
    else if (kind === 'quoted' || (kind === 'decimal' && !isDigit(row[end - 1]))) {
      this.#quoted(row, start, end);
    } else this.#copy(row, start, end);
  }

  #quoted(row: Buffer, start: number, end: number): void {
    this.#out[this.#at++] = QUOTE;
    this.#copy(row, start, end);
    this.#out[this.#at++] = QUOTE;
  }

  #text(row: Buffer, start: number, end: number): void {
    let escaped = 0;
    for (let i = start; i < end; i += 1) if (isEscaped(row[i] ?? 0)) escaped += 1;
    if (escaped === 0) {
      this.#quoted(row, start, end);
      return;
    }
    this.#reserve(end - start + escaped * LONGEST_ESCAPE + SPARE);
    const out = this.#out;
    let at = this.#at;
    out[at++] = QUOTE;
    for (let i = start; i < end; i += 1) {
      const byte = row[i] ?? 0;
      if (isEscaped(byte)) {
        at += (ESCAPES[byte] ?? NULL).copy(out, at);
      } else out[at++] = byte;
    }
    out[at++] = QUOTE;
    this.#at = at;
  }

  /**
   * Writes `2026-01-05 06:00:00.5+01` (DateStyle ISO) as `"2026-01-05T06:00:00.5+01:00"`; a date, infinity, and " BC" after
   * either, as they are.
   */
  #date(row: Buffer, start: number, end: number): void {
    let gap = start;
    while (gap < end && row[gap] !== SPACE) gap += 1;
    if (gap === end || !isDigit(row[gap + 1])) {
      this.#quoted(row, start, end);
      return;
    }
    let zone = gap + 1;
    while (zone < end && row[zone] !== PLUS && row[zone] !== MINUS) zone += 1;
    const hours = Math.min(zone + 3, end);
    this.#out[this.#at++] = QUOTE;
    this.#copy(row, start, gap);
    this.#out[this.#at++] = LETTER_T_CAPITAL;
    this.#copy(row, gap + 1, hours);
    if (zone < end && row[hours] !== COLON) this.#copy(MINUTES, 0, MINUTES.length);
    this.#copy(row, hours, end);
    this.#out[this.#at++] = QUOTE;
  }
}
