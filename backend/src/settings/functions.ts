// `[functions.<name>]` and `[edge_runtime]` of config.toml.
import { z } from 'zod';
import { section } from './section.ts';

export const Functions = z
  .record(
    z.string(),
    z.object({
      enabled: z.boolean().default(true),
      /** Whether a call needs a valid token. */
      verify_jwt: z.boolean().default(true),
      /** Paths relative to `supabase/`. */
      import_map: z.string().min(1).optional(),
      entrypoint: z
        .string()
        .transform((file) => (file === '' ? undefined : file))
        .optional(),
    }),
  )
  .default({});

/** The limits are not CLI keys. Defaults are those of a Supabase project. */
export const EdgeRuntime = section({
  /** Variables for every function. */
  secrets: z.record(z.string(), z.string()).default({}),
  /** Milliseconds until the first byte of a response. */
  answer_ms: z.number().int().positive().default(150_000),
  /** Milliseconds for a whole call, streams included. */
  call_ms: z.number().int().positive().default(400_000),
  /** Milliseconds that a function may block its thread. */
  busy_ms: z.number().int().positive().default(10_000),
  /** Megabytes of a function's own memory. */
  memory_mb: z.number().int().min(32).default(256),
  /** Milliseconds without a call after which a function's thread ends. */
  idle_ms: z.number().int().positive().default(300_000),
}).transform(({ secrets, memory_mb, ...times }) => ({
  secrets,
  limits: {
    answerMs: times.answer_ms,
    callMs: times.call_ms,
    busyMs: times.busy_ms,
    idleMs: times.idle_ms,
    memoryBytes: memory_mb * 1024 * 1024,
  },
}));
