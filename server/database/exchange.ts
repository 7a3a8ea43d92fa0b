// One network write per request: settings, then the statement, then one Sync.
// Messages up to a Sync are one implicit transaction, so settings made local end with it and an error rolls all back.
import type { Prepared, Statements } from './statements.ts';
import { exchangeBytes, type Step } from './wire/outbox.ts';
import { cellsOf, cellsWithBytes } from './wire/row.ts';

export interface Statement {
  text: string;
  /** Text-format parameters; null is SQL null. */
  values: (string | null)[];
  /** The first value of its one row may be long and is only passed on: `Reply.bytes`. */
  passesBytes?: boolean;
}

export interface Reply {
  /** Column names in select order. */
  fields: string[];
  /** Rows in PostgreSQL's text format. */
  rows: (string | null)[][];
  /** Command tag, for example `UPDATE 3`. */
  command: string;
  /** UTF-8 of the first value, where the statement passes bytes and it is long; the row holds an empty text instead. */
  bytes?: Buffer | undefined;
}

/** Bytes from which a value is passed on as it came: below, a string is quicker. */
const LONG = 4096;

/** The rows of an exchange are larger than its caller accepts. Nothing of them was kept. */
export class AnswerTooLarge extends Error {
  /** @param limit in bytes */
  constructor(readonly limit: number) {
    super(`The answer is larger than ${limit} bytes.`);
  }
}

export interface ExchangeOptions {
  /** It changes nothing, so it never waits for another's row. */
  isReadOnly?: boolean | undefined;
  /** Bytes of all rows together; more than that fails with AnswerTooLarge. */
  maxBytes?: number | undefined;
}

/** Statements in order in one transaction, and a reply for each. */
export class Exchange {
  readonly result: Promise<Reply[]>;
  #resolve: (replies: Reply[]) => void = () => {};
  #reject: (error: Error) => void = () => {};
  readonly #replies: Reply[] = [];
  readonly #prepared: Prepared[] = [];
  readonly #fresh: Prepared[] = [];
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

  /** Milliseconds that its slowest statement took lately on this connection; undefined when one is new to it. */
  expectedMs(known: Statements): number | undefined {
    let most = 0;
    for (const { text } of this.#statements) {
      const ms = known.find(this.#role, text)?.ms;
      if (ms === undefined) return undefined;
      if (ms > most) most = ms;
    }
    return most;
  }

  /** @returns what goes over the wire to this connection */
  bytesFor(known: Statements): Buffer {
    this.#known = known;
    const steps = this.#statements.map(({ text, values }): Step => {
      const { statement, isNew, evicted } = known.take(this.#role, text);
      this.#prepared.push(statement);
      if (isNew) this.#fresh.push(statement);
      return { name: statement.name, text, values, isNew, evicted };
    });
    return exchangeBytes(steps);
  }

  /** Has every statement of this exchange parsed anew, after a change of tables made its plan unusable. */
  forgetPlans(): void {
    for (const statement of this.#prepared) this.#known?.drop(statement);
  }

  /** Has every statement of the connection parsed anew, after something took them from it. */
  forgetAll(): void {
    this.#known?.dropAll();
  }

  handleColumns(names: string[]): void {
    const statement = this.#prepared[this.#replies.length];
    if (statement !== undefined) statement.fields = names;
  }

  /** @returns whether a row of so many bytes is to be read; otherwise the exchange has failed */
  accepts(bytes: number): boolean {
    if (this.#hasFailed) return false;
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft >= 0) return true;
    this.#rows = [];
    this.fail(new AnswerTooLarge(this.#maxBytes));
    return false;
  }

  handleRow(row: Buffer, mayKeep: boolean): void {
    if (this.#statements[this.#replies.length]?.passesBytes) {
      const { cells, bytes } = cellsWithBytes(row, LONG, mayKeep);
      this.#rows.push(cells);
      this.#bytes = bytes;
    } else this.#rows.push(cellsOf(row));
  }

  handleComplete(command: string): void {
    const fields = this.#prepared[this.#replies.length]?.fields ?? [];
    this.#replies.push({ fields, rows: this.#rows, command, bytes: this.#bytes });
    this.#rows = [];
    this.#bytes = undefined;
  }

  fail(error: Error): void {
    // A failed Parse leaves no statement and a failed Execute leaves one: forget both, so that names never meet.
    for (const statement of this.#fresh) this.#known?.drop(statement);
    this.#hasFailed = true;
    this.#reject(error);
  }

  /** @param ms that PostgreSQL had for it */
  finish(ms: number): void {
    // A statement that was ended by its time limit is slow too.
    for (const statement of this.#prepared) {
      // One slow run counts for a while.
      statement.ms = Math.max(ms, (statement.ms ?? 0) * 0.8);
    }
    if (this.#hasFailed) return;
    this.#resolve(this.#replies);
  }
}
