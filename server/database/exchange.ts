// One network write per request: settings, then the statement, then one Sync.
// Messages up to a Sync are one implicit transaction, so settings made local end with it and an error rolls all back.
import type { Connection, DatabaseError, Submittable } from 'pg';
import { type Prepared, Statements } from './statements.ts';
import { Inbox, type Receiver } from './wire/inbox.ts';
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

/** A pg Submittable that runs statements in order in one transaction and resolves with a reply for each. */
export class Exchange implements Submittable, Receiver {
  readonly result: Promise<Reply[]>;
  #resolve: (replies: Reply[]) => void = () => {};
  #reject: (error: Error) => void = () => {};
  readonly #replies: Reply[] = [];
  readonly #prepared: Prepared[] = [];
  readonly #fresh: Prepared[] = [];
  #rows: (string | null)[][] = [];
  #bytes: Buffer | undefined;
  #failed = false;
  #connection: Connection | undefined;
  readonly #statements: readonly Statement[];
  readonly #role: string;

  constructor(statements: readonly Statement[], role: string) {
    this.#statements = statements;
    this.#role = role;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    const known = Statements.of(connection);
    const steps = this.#statements.map(({ text, values }): Step => {
      const { statement, isNew, evicted } = known.take(this.#role, text);
      this.#prepared.push(statement);
      if (isNew) this.#fresh.push(statement);
      return { name: statement.name, text, values, isNew, evicted };
    });
    Inbox.of(connection).send(exchangeBytes(steps), this);
  }

  /** Has every statement of this exchange parsed anew, after a change of tables made its plan unusable. */
  forgetPlans(): void {
    if (this.#connection === undefined) return;
    const known = Statements.of(this.#connection);
    for (const statement of this.#prepared) known.drop(statement);
  }

  /** Has every statement of the connection parsed anew, after something took them from it. */
  forgetAll(): void {
    if (this.#connection !== undefined) Statements.of(this.#connection).dropAll();
  }

  handleColumns(names: string[]): void {
    const statement = this.#prepared[this.#replies.length];
    if (statement !== undefined) statement.fields = names;
  }

  handleRow(row: Buffer): void {
    if (this.#statements[this.#replies.length]?.passesBytes) {
      const { cells, bytes } = cellsWithBytes(row, LONG);
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

  handleError(error: DatabaseError): void {
    // A failed Parse leaves no statement and a failed Execute leaves one: forget both, so that names never meet.
    if (this.#connection !== undefined) {
      const known = Statements.of(this.#connection);
      for (const statement of this.#fresh) known.drop(statement);
    }
    this.#failed = true;
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    if (!this.#failed) this.#resolve(this.#replies);
  }

  /** COPY is not reachable through a prepared statement of ours; refuse it so that the connection can't hang. */
  handleCopyInResponse(connection: { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('COPY is not supported here');
  }

  handleCopyData(): void {}

  handlePortalSuspended(): void {}
}
