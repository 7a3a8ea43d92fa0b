// What a function may use, as a Supabase project allows it (`[edge_runtime]` of config.toml changes it).

export interface Limits {
  /** Milliseconds until the first byte of an answer. */
  answerMs: number;
  /** Milliseconds for a whole call, streams included. */
  callMs: number;
  /** Milliseconds that a function may keep its thread to itself, answering nothing. */
  busyMs: number;
  /** Bytes of its own memory. */
  memoryBytes: number;
  /** Milliseconds without a call after which its thread ends. */
  idleMs: number;
}
