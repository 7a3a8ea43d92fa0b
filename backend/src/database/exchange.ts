// One network write per request: settings, then the statement, then one Sync. Messages up to a Sync are one implicit
// transaction (PostgreSQL docs, "Pipelining"), so local settings end with it and an error rolls everything back.
import type { Prepared, Statements } from './statements.ts';
import { decodeRow, decodeRowWithBytes } from './wire/decode.ts';
import { encodeExchange, type Step } from './wire/encode.ts';

export interface Statement {
  text: string;
  /** Text-format parameters; null is SQL null. */
  values: (string | null)[];
  /** Returns a long first value of the single row as `Reply.bytes`, because it is only passed through. */
  returnsBytes?: boolean;
}

export interface Reply {
  /** Column names in select order. */
  fields: string[];
  /** Rows in PostgreSQL's text format. */
  rows: (string | null)[][];
  /** Command tag, for example `UPDATE 3`. */
  command: string;
  /** UTF-8 of a long first value, if the statement `returnsBytes`; the row has an empty string in its place. */
  bytes?: Buffer | undefined;
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
  #hasFailed = false;
  #known: Statements | undefined;
  readonly #statements: readonly Statement[];
  readonly #role: string;
  readonly #maxBytes: number;
  #bytesLeft: number;
  readonly isReadOnly: boolean;

  constructor(
    statements: readonly Statement[],
    role: string,
    { isReadOnly = false, maxBytes = Number.POSITIVE_INFINITY }: ExchangeOptions = {},
  ) {
    this.#statements = statements;
    this.#role = role;
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
    for (const { text } of this.#statements) {
      const ms = known.find(this.#role, text)?.ms;
      if (ms === undefined) return undefined;
      if (ms > most) most = ms;
    }
    return most;
  }

  /** @returns the messages to send on this connection */
  bytesFor(known: Statements): Buffer {
    this.#known = known;
    const steps = this.#statements.map(({ text, values }): Step => {
      const { statement, isNew, evicted } = known.take(this.#role, text);
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

  handleColumns(names: string[]): void {
    const statement = this.#prepared[this.#replies.length];
    if (statement !== undefined) statement.fields = names;
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

  handleRow(row: Buffer, isOwned: boolean): void {
    if (this.#statements[this.#replies.length]?.returnsBytes) {
      const { cells, bytes } = decodeRowWithBytes(row, MIN_BYTES, isOwned);
      this.#rows.push(cells);
      this.#bytes = bytes;
    } else this.#rows.push(decodeRow(row));
  }

  handleComplete(command: string): void {
    const fields = this.#prepared[this.#replies.length]?.fields ?? [];
    this.#replies.push({ fields, rows: this.#rows, command, bytes: this.#bytes });
    this.#rows = [];
    this.#bytes = undefined;
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
