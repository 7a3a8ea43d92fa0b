// One network write per request: settings, then the statement, then one Sync. Messages up to a Sync are one implicit
// transaction (PostgreSQL docs, "Pipelining"), so local settings end with it and an error rolls everything back.
import type { Connection } from 'pg';
import type { StatementSummary } from '../tracing/statement.ts';
import { type Column, JsonRows, RowFormat, UnknownType } from './wire/json-rows.ts';
import { decodeRow, decodeRowWithBytes, encodeExchange, type Step } from './wire/messages.ts';

export interface Statement {
  text: string;
  /** Text-format parameters; null is SQL null. */
  values: (string | null)[];
  /** `Reply.bytes` is a long first value of the single row, because it is only passed through, or all rows as a JSON array. */
  returns?: 'value' | 'json';
  /** Shown in traces; by default derived from the text. */
  summary?: StatementSummary;
}

export interface Reply {
  /** Column names in select order. */
  fields: string[];
  /** Rows in PostgreSQL's text format. */
  rows: (string | null)[][];
  /** Command tag, for example `UPDATE 3`. */
  command: string;
  /** UTF-8 of what the statement `returns`; of a value, the row has an empty string in its place. */
  bytes?: Buffer | undefined;
  /** How many rows `bytes` contains. */
  count?: number | undefined;
}

/** Minimum length in bytes of a value passed through as bytes: below, a string is faster. */
const MIN_BYTES = 4096;

export class ResultTooLarge extends Error {
  /** @param limit in bytes */
  constructor(readonly limit: number) {
    super(`The result is larger than ${limit} bytes.`);
  }
}

export interface ExchangeOptions {
  /** A read never waits for another transaction's row locks. */
  isReadOnly?: boolean | undefined;
  /** Maximum bytes of all rows together; more fails with ResultTooLarge. */
  maxBytes?: number | undefined;
}

/** Statements in one transaction, and their replies as they arrive. */
export class Exchange {
  readonly result: Promise<Reply[]>;
  #resolve: (replies: Reply[]) => void = () => {};
  #reject: (error: Error) => void = () => {};
  readonly #replies: Reply[] = [];
  readonly #prepared: Prepared[] = [];
  readonly #newlyPrepared: Prepared[] = [];
  #rows: (string | null)[][] = [];
  #bytes: Buffer | undefined;
  #json: JsonRows | undefined;
  #hasFailed = false;
  #known: Statements | undefined;
  readonly #maxBytes: number;
  #bytesLeft: number;
  readonly isReadOnly: boolean;

  constructor(
    private readonly statements: readonly Statement[],
    private readonly role: string,
    { isReadOnly = false, maxBytes = Number.POSITIVE_INFINITY }: ExchangeOptions = {},
  ) {
    this.isReadOnly = isReadOnly;
    this.#maxBytes = maxBytes;
    this.#bytesLeft = maxBytes;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Recent duration of its slowest statement on this connection; undefined if one has not run on it yet. */
  expectedMs(known: Statements): number | undefined {
    let most = 0;
    for (const { text } of this.statements) {
      const ms = known.find(this.role, text)?.ms;
      if (ms === undefined) return undefined;
      if (ms > most) most = ms;
    }
    return most;
  }

  /** @returns the messages to send on this connection */
  bytesFor(known: Statements): Buffer {
    this.#known = known;
    const steps = this.statements.map(({ text, values }): Step => {
      const { statement, isNew, evicted } = known.take(this.role, text);
      this.#prepared.push(statement);
      if (isNew) this.#newlyPrepared.push(statement);
      return { name: statement.name, text, values, isNew, evicted };
    });
    return encodeExchange(steps);
  }

  /** Prepares the statements of this exchange again, after DDL made a plan unusable. */
  forgetPlans(): void {
    for (const statement of this.#prepared) this.#known?.drop(statement);
  }

  /** Prepares all statements of the connection again, after something deallocated them. */
  forgetAll(): void {
    this.#known?.dropAll();
  }

  handleColumns(columns: Column[]): void {
    const statement = this.#prepared[this.#replies.length];
    if (statement === undefined) return;
    statement.fields = columns.map(({ name }) => name);
    statement.format = new RowFormat(columns);
  }

  /** @returns whether to read a row of this size; if not, the exchange has failed */
  accepts(bytes: number): boolean {
    if (this.#hasFailed) return false;
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft >= 0) return true;
    this.#rows = [];
    this.fail(new ResultTooLarge(this.#maxBytes));
    return false;
  }

  handleRow(from: Buffer, start: number, end: number, isOwned: boolean): void {
    const returns = this.statements[this.#replies.length]?.returns;
    if (returns === 'json') {
      this.#addJson(from, start, end);
      return;
    }
    const row = from.subarray(start, end);
    if (returns === 'value') {
      const { cells, bytes } = decodeRowWithBytes(row, MIN_BYTES, isOwned);
      this.#rows.push(cells);
      this.#bytes = bytes;
    } else this.#rows.push(decodeRow(row));
  }

  #addJson(from: Buffer, start: number, end: number): void {
    this.#json ??= this.#newJson();
    if (this.#json === undefined) return;
    this.#json.add(from, start, end);
    if (this.#json.size > this.#maxBytes) this.fail(new ResultTooLarge(this.#maxBytes));
  }

  /** Fails when a column's type is not one that was planned for. */
  #newJson(): JsonRows | undefined {
    const format = this.#prepared[this.#replies.length]?.format;
    if (format === undefined) throw new Error('Rows arrived before their columns.');
    if (format.unknown === undefined) return new JsonRows(format);
    this.fail(new UnknownType(format.unknown));
    return undefined;
  }

  handleComplete(command: string): void {
    const at = this.#replies.length;
    const fields = this.#prepared[at]?.fields ?? [];
    if (this.statements[at]?.returns === 'json') this.#json ??= this.#newJson();
    const bytes = this.#json?.end() ?? this.#bytes;
    this.#replies.push({ fields, rows: this.#rows, command, bytes, count: this.#json?.count });
    this.#rows = [];
    this.#bytes = undefined;
    this.#json = undefined;
  }

  fail(error: Error): void {
    // A failed Parse leaves no statement, a failed Execute leaves one. Dropping both means no name is used twice.
    for (const statement of this.#newlyPrepared) this.#known?.drop(statement);
    this.#hasFailed = true;
    this.#reject(error);
  }

  /** @param ms time PostgreSQL took */
  finish(ms: number): void {
    // Also after a failure: a statement that hit its timeout is slow too.
    for (const statement of this.#prepared) {
      // Decays, so that one slow run counts for a while.
      statement.ms = Math.max(ms, (statement.ms ?? 0) * 0.8);
    }
    if (this.#hasFailed) return;
    this.#resolve(this.#replies);
  }
}

const LIMIT = 256;
const byConnection = new WeakMap<Connection, Statements>();
let counter = 0;

export interface Prepared {
  readonly name: string;
  readonly role: string;
  readonly text: string;
  /** Column names, once PostgreSQL has described them. */
  fields: string[];
  /** How its rows become JSON, once PostgreSQL has described it. */
  format?: RowFormat;
  /** Sequence number of the last use. */
  used: number;
  /** Recent duration in milliseconds; undefined until it has run. */
  ms: number | undefined;
}

/** The prepared statements of one connection: a bounded least-recently-used cache whose names are never reused. */
export class Statements {
  /** By role and text: a statement shared by two roles would be replanned at each change of role (27 % slower). */
  readonly #known = new Map<string, Map<string, Prepared>>();
  /** Names to close with a later exchange. */
  readonly #orphans: string[] = [];
  #count = 0;
  #uses = 0;

  static of(connection: Connection): Statements {
    let statements = byConnection.get(connection);
    if (statements === undefined) {
      statements = new Statements();
      byConnection.set(connection, statements);
    }
    return statements;
  }

  find(role: string, text: string): Prepared | undefined {
    return this.#known.get(role)?.get(text);
  }

  /** @returns the statement, whether it must be parsed first, and the name of another one to close, if any */
  take(
    role: string,
    text: string,
  ): { statement: Prepared; isNew: boolean; evicted: string | undefined } {
    this.#uses += 1;
    const known = this.#known.get(role)?.get(text);
    if (known !== undefined) {
      known.used = this.#uses;
      return { statement: known, isNew: false, evicted: this.#orphans.shift() };
    }
    if (this.#count >= LIMIT) this.#evict();
    counter += 1;
    const statement: Prepared = {
      name: `s${counter}`,
      role,
      text,
      fields: [],
      used: this.#uses,
      ms: undefined,
    };
    const ofRole = this.#known.get(role) ?? new Map<string, Prepared>();
    this.#known.set(role, ofRole.set(text, statement));
    this.#count += 1;
    return { statement, isNew: true, evicted: this.#orphans.shift() };
  }

  /** Forgets a statement that failed or whose plan became unusable; a later exchange closes it in PostgreSQL. */
  drop({ role, text, name }: Prepared): void {
    const ofRole = this.#known.get(role);
    if (ofRole?.get(text)?.name !== name) return;
    ofRole.delete(text);
    if (ofRole.size === 0) this.#known.delete(role);
    this.#count -= 1;
    this.#orphans.push(name);
  }

  dropAll(): void {
    for (const ofRole of this.#known.values()) {
      for (const statement of ofRole.values()) this.drop(statement);
    }
  }

  /** The linear search is rare: only requests of a new shape get here. */
  #evict(): void {
    let oldest: Prepared | undefined;
    for (const ofRole of this.#known.values()) {
      for (const statement of ofRole.values()) {
        if (oldest === undefined || statement.used < oldest.used) oldest = statement;
      }
    }
    if (oldest !== undefined) this.drop(oldest);
  }
}
