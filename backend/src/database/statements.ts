import type { Connection } from 'pg';

const LIMIT = 256;
const byConnection = new WeakMap<Connection, Statements>();
let counter = 0;

export interface Prepared {
  readonly name: string;
  readonly role: string;
  readonly text: string;
  /** Column names, once PostgreSQL has described them. */
  fields: string[];
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
