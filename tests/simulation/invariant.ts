import type pg from 'pg';

/** Reads tables as the superuser: the product itself, or one transaction of it. */
export interface Facts {
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface ChangeableFacts extends Facts {
  /** @returns how many rows a statement has changed */
  change(text: string): Promise<number>;
}

export interface Invariant {
  name: string;
  /** Rows that break it. */
  sql: string;
}

export interface Broken {
  name: string;
  rows: unknown[];
}

/** Of all invariants that were checked. */
export const NAMES = new Set<string>();

/** @returns those that have rows */
export function brokenOf(checked: Broken[]): Broken[] {
  for (const { name } of checked) NAMES.add(name);
  return checked.filter(({ rows }) => rows.length > 0);
}
