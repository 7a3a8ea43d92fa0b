// The prepared statements of one connection: least recently used first, bounded, named once and never again.
import type { WireConnection } from './wire.ts';

const LIMIT = 256;
const byConnection = new WeakMap<object, Statements>();
let counter = 0;

export class Statements {
  readonly #names = new Map<string, string>();
  readonly #orphans: string[] = [];

  static of(connection: WireConnection): Statements {
    let statements = byConnection.get(connection);
    if (statements === undefined) {
      statements = new Statements();
      byConnection.set(connection, statements);
    }
    return statements;
  }

  /** @returns the statement's name, whether it must be parsed first, and a name to close, if any */
  take(role: string, text: string): { name: string; isNew: boolean; evicted: string | undefined } {
    const key = `${role}\n${text}`;
    const known = this.#names.get(key);
    if (known !== undefined) {
      this.#names.delete(key);
      this.#names.set(key, known);
      return { name: known, isNew: false, evicted: this.#orphans.shift() };
    }
    counter += 1;
    const name = `s${counter}`;
    this.#names.set(key, name);
    let evicted = this.#orphans.shift();
    if (evicted === undefined && this.#names.size > LIMIT) {
      const [oldest] = this.#names;
      if (oldest !== undefined) {
        this.#names.delete(oldest[0]);
        evicted = oldest[1];
      }
    }
    return { name, isNew: true, evicted };
  }

  /** Drops statements of a failed exchange; the server side is closed by a later exchange. */
  forget(role: string, fresh: string[]): void {
    for (const [key, name] of this.#names) {
      if (key.startsWith(`${role}\n`) && fresh.includes(name)) {
        this.#names.delete(key);
        this.#orphans.push(name);
      }
    }
  }

  /** Drops every statement of this text, after a DDL change made its plan unusable. */
  invalidate(role: string, text: string): void {
    const key = `${role}\n${text}`;
    const name = this.#names.get(key);
    if (name === undefined) return;
    this.#names.delete(key);
    this.#orphans.push(name);
  }
}
