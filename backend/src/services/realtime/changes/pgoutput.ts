// Decodes pgoutput messages, protocol version 1 (PostgreSQL docs, "Logical Replication Message Formats"). Values stay
// PostgreSQL's text, so that microseconds and long numbers keep their precision.

export interface Column {
  name: string;
  /** Part of the replica identity. */
  isKey: boolean;
  /** OID of its type. */
  type: number;
}

/** A table's definition. The stream sends it again, as a new object, whenever it changes. */
export interface Relation {
  oid: number;
  schema: string;
  name: string;
  columns: Column[];
}

/** PostgreSQL's text; null for SQL null; undefined if not sent (an unchanged TOASTed value, or outside the key). */
export type Value = string | null | undefined;
export type Tuple = Value[];
export type ChangeType = 'INSERT' | 'UPDATE' | 'DELETE';

export interface Change {
  type: ChangeType;
  relation: Relation;
  /** Lower 32 bits of the transaction's id. */
  xid: number;
  /** Position of the transaction's commit in the WAL. */
  lsn: bigint;
  committedAt: Date;
  /** Present for INSERT and UPDATE. */
  record: Tuple | undefined;
  /** The old key, or with REPLICA IDENTITY FULL the old row; undefined for an UPDATE that does not change the key. */
  old: Tuple | undefined;
}

/** A message written with pg_logical_emit_message. */
export interface LogMessage {
  type: 'MESSAGE';
  prefix: string;
  content: Buffer;
}

/** PostgreSQL's epoch, 2000-01-01, in milliseconds since 1970. */
const EPOCH_2000_MS = 946_684_800_000n;
const code = (letter: string): number => letter.charCodeAt(0);
const [BEGIN, RELATION, INSERT, UPDATE, DELETE, MESSAGE] = ['B', 'R', 'I', 'U', 'D', 'M'].map(code);
const [KEY, OLD, NEW] = ['K', 'O', 'N'].map(code);
const [NULL, UNCHANGED] = ['n', 'u'].map(code);

class Reader {
  #at = 0;
  constructor(readonly bytes: Buffer) {}
  byte(): number {
    return this.bytes.readUInt8(this.#at++);
  }
  int16(): number {
    this.#at += 2;
    return this.bytes.readInt16BE(this.#at - 2);
  }
  uint32(): number {
    this.#at += 4;
    return this.bytes.readUInt32BE(this.#at - 4);
  }
  int64(): bigint {
    this.#at += 8;
    return this.bytes.readBigInt64BE(this.#at - 8);
  }
  skip(bytes: number): void {
    this.#at += bytes;
  }
  text(bytes: number): string {
    this.#at += bytes;
    return this.bytes.toString('utf8', this.#at - bytes, this.#at);
  }
  copy(bytes: number): Buffer {
    this.#at += bytes;
    return Buffer.from(this.bytes.subarray(this.#at - bytes, this.#at));
  }
  name(): string {
    const text = this.bytes.toString('utf8', this.#at, this.bytes.indexOf(0, this.#at));
    this.#at += Buffer.byteLength(text) + 1;
    return text;
  }
}

export class Decoder {
  readonly #relations = new Map<number, Relation>();
  #xid = 0;
  #lsn = 0n;
  #committedAt = new Date(0);

  /** @param wants called with each change's table; changes of other tables are not decoded */
  constructor(readonly wants: (relation: Relation) => boolean) {}

  /**
   * @param bytes one message, valid only during the call
   * @returns a wanted change, a message, or undefined
   */
  decode(bytes: Buffer): Change | LogMessage | undefined {
    const reader = new Reader(bytes);
    const tag = reader.byte();
    if (tag === BEGIN) {
      this.#lsn = reader.int64();
      this.#committedAt = new Date(Number(reader.int64() / 1000n + EPOCH_2000_MS));
      this.#xid = reader.uint32();
    } else if (tag === RELATION) {
      const relation = readRelation(reader);
      this.#relations.set(relation.oid, relation);
    } else if (tag === MESSAGE) {
      reader.skip(9);
      return { type: 'MESSAGE', prefix: reader.name(), content: reader.copy(reader.uint32()) };
    } else if (tag === INSERT || tag === UPDATE || tag === DELETE) {
      const relation = this.#relations.get(reader.uint32());
      if (relation === undefined) throw new Error('Received a change of an unknown table.');
      return this.wants(relation) ? this.#change(tag, relation, reader) : undefined;
    }
    return undefined;
  }

  #change(tag: number, relation: Relation, reader: Reader): Change {
    const type = tag === INSERT ? 'INSERT' : tag === UPDATE ? 'UPDATE' : 'DELETE';
    let old: Tuple | undefined;
    let part = reader.byte();
    if (part === KEY || part === OLD) {
      old = readTuple(reader);
      if (part === KEY) {
        // Columns outside the key are sent as null.
        old = old.map((value, i) => (relation.columns[i]?.isKey ? value : undefined));
      }
      if (type === 'UPDATE') part = reader.byte();
    }
    const record = part === NEW ? readTuple(reader) : undefined;
    if (record !== undefined && old !== undefined) {
      const before = old;
      for (const [i, value] of record.entries()) if (value === undefined) record[i] = before[i];
    }
    const [xid, lsn, committedAt] = [this.#xid, this.#lsn, this.#committedAt];
    return { type, relation, xid, lsn, committedAt, record, old };
  }
}

function readRelation(reader: Reader): Relation {
  const oid = reader.uint32();
  const schema = reader.name();
  const name = reader.name();
  reader.skip(1);
  const columns = Array.from({ length: reader.int16() }, () => {
    const isKey = (reader.byte() & 1) === 1;
    const column = { name: reader.name(), isKey, type: reader.uint32() };
    reader.skip(4);
    return column;
  });
  // An empty name means pg_catalog.
  return { oid, schema: schema === '' ? 'pg_catalog' : schema, name, columns };
}

function readTuple(reader: Reader): Tuple {
  return Array.from({ length: reader.int16() }, () => {
    const kind = reader.byte();
    if (kind === NULL) return null;
    if (kind === UNCHANGED) return undefined;
    return reader.text(reader.uint32());
  });
}
