/** Limits of a function, set in `[edge_runtime]` of config.toml (Supabase docs, "Edge Functions Limits"). */
export interface Limits {
  /** Until the response begins. */
  answerMs: number;
  /** For a whole call, including streams. */
  callMs: number;
  /** That a function may block its event loop. */
  busyMs: number;
  memoryBytes: number;
  /** Without a call, after which the worker is stopped. */
  idleMs: number;
}
