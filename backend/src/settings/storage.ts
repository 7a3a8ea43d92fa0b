// `[storage]` of config.toml.
import { z } from 'zod';
import { section } from './section.ts';

const POWERS: Record<string, number> = { '': 0, k: 1, m: 2, g: 3, t: 4 };

/** A size as the CLI writes it (`50MiB`, `500KB`, `1024`), in bytes; each step is 1,024, as for the CLI. */
const bytes = z.union([
  z.number().int().min(0),
  z
    .string()
    .regex(/^\d+(\.\d+)? ?([kmgt]i?)?b?$/i, 'write it like 500KiB, 50MiB or 5GiB')
    .transform((text) => {
      const unit = /[kmgt]/i.exec(text)?.[0].toLowerCase() ?? '';
      return Math.floor(Number.parseFloat(text) * 1024 ** (POWERS[unit] ?? 0));
    }),
]);

export const StorageSettings = section({
  /** Bytes of one object; buckets may have a lower limit. */
  file_size_limit: bytes.default(50 * 1024 * 1024),
  /**
   * Bytes of the disk that uploads leave to the database. Not the CLI's; by default 512 MiB, or a fifth of a smaller disk.
   */
  min_free_space: bytes.optional(),
  /** Bytes that one user may store within 24 hours; unlimited if not set. Not CLI keys. */
  quota: section({
    bytes_per_day: bytes.optional(),
    files_per_day: z.number().int().min(0).optional(),
  }),
  image_transformation: section({ enabled: z.boolean().default(true) }),
  /** Created at start; for existing buckets only the keys given here change. */
  buckets: z
    .record(
      z.string(),
      z.object({
        public: z.boolean().optional(),
        file_size_limit: bytes.optional(),
        allowed_mime_types: z.array(z.string()).optional(),
        /** Whether to check the content of files against their type. Not a CLI key. */
        verify_content: z.boolean().default(false),
      }),
    )
    .default({}),
});

export type StorageSettings = z.infer<typeof StorageSettings>;
