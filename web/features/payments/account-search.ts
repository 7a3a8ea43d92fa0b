import { z } from 'zod';
import { listSearch } from '#web/lib/data/list-search.ts';

export const ACCOUNT_STATES = ['unverified', 'verified'] as const;

export const accountSearch = z.object({
  ...listSearch,
  state: z.enum(ACCOUNT_STATES).optional().catch(undefined),
});
export type AccountSearch = z.infer<typeof accountSearch>;
