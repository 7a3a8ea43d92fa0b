export interface Invariant {
  name: string;
  /** Rows that break it. */
  sql: string;
}

export interface Broken {
  name: string;
  rows: unknown[];
}
