// One network write per request: settings, then the statement, then one Sync (PERFORMANCE.md, "The shape that won").
// Messages up to a Sync are one implicit transaction, so settings made local end with it and an error rolls all back.
import type { DatabaseError, Submittable } from 'pg';
import { Statements } from './statements.ts';
import type { WireConnection } from './wire.ts';

export interface Statement {
  text: string;
  /** Text-format parameters; null is SQL null. */
  values: (string | null)[];
}

export interface Reply {
  /** Column names in select order. */
  fields: string[];
  /** Rows in PostgreSQL's text format. */
  rows: (string | null)[][];
  /** Command tag, for example `UPDATE 3`. */
  command: string;
}

type FieldMessage = { fields: { name: string }[] };
type RowMessage = { fields: (string | null)[] };

/** A pg Submittable that runs statements in order in one transaction and resolves with a reply for each. */
export class Exchange implements Submittable {
  readonly result: Promise<Reply[]>;
  #resolve: (replies: Reply[]) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #replies: Reply[] = [];
  #current: Reply = { fields: [], rows: [], command: '' };
  #fresh: string[] = [];
  #failed: Error | undefined;
  readonly #statements: Statement[];
  /** Separates statements prepared under one role from another's: sharing one costs a new plan (27%). */
  readonly #role: string;

  constructor(statements: Statement[], role: string) {
    this.#statements = statements;
    this.#role = role;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: unknown): Error | undefined {
    const wire = connection as WireConnection;
    const prepared = Statements.of(wire);
    wire.stream.cork();
    try {
      for (const statement of this.#statements) {
        const { name, isNew, evicted } = prepared.take(this.#role, statement.text);
        if (evicted !== undefined) wire.close({ type: 'S', name: evicted });
        if (isNew) {
          this.#fresh.push(name);
          wire.parse({ name, text: statement.text });
        }
        wire.bind({ portal: '', statement: name, values: statement.values });
        wire.describe({ type: 'P', name: '' });
        wire.execute({ portal: '', rows: 0 });
      }
      wire.sync();
    } finally {
      wire.stream.uncork();
    }
    return undefined;
  }

  handleRowDescription(message: FieldMessage): void {
    this.#current.fields = message.fields.map((field) => field.name);
  }

  handleDataRow(message: RowMessage): void {
    this.#current.rows.push(message.fields);
  }

  handleCommandComplete(message: { text: string }): void {
    this.#current.command = message.text;
    this.#replies.push(this.#current);
    this.#current = { fields: [], rows: [], command: '' };
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: DatabaseError, connection: unknown): void {
    // A failed Parse leaves no statement and a failed Execute leaves one: forget both, so that names never meet.
    if (connection) Statements.of(connection as WireConnection).forget(this.#role, this.#fresh);
    this.#failed = error;
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    if (this.#failed === undefined) this.#resolve(this.#replies);
  }

  /** COPY is not reachable through a prepared statement of ours; refuse it so that the connection can't hang. */
  handleCopyInResponse(connection: { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail('COPY is not supported here');
  }

  handleCopyData(): void {}

  handlePortalSuspended(): void {}
}
