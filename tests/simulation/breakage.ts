import type { World } from './world.ts';

export interface Breakage {
  /** Name of the invariant that must report it. */
  breaks: string;
  /** Statements as the superuser, without triggers and foreign keys. The last one must change a row. */
  sql?: readonly string[];
  /** What breaks outside of the database. @returns what undoes it */
  act?: (world: World) => Promise<() => unknown>;
  /** Other invariants that compare the same fact. */
  also?: readonly string[];
}
