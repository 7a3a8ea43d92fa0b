import type { RosterInput } from '#shared/roster/input.ts';
import type { RosterResult } from '#shared/roster/roster-result.ts';
import type { FillScope } from '#shared/roster/seats.ts';

/** From the page to the engine's worker. */
export interface EngineRequest extends FillScope {
  input: RosterInput;
  seed: number;
  seconds: number;
}

/** From the worker to the page: better and better rosters, then the last, or why there is none. */
export type EngineResponse =
  | { type: 'progress' | 'done'; result: RosterResult }
  | { type: 'failed'; message: string };
