import { z } from 'zod';
import { listSearch } from '#web/lib/data/list-search.ts';
import { PAY_CURRENCIES } from '#web/lib/vocabulary/kinds.ts';

export const statementSearch = z.object({
  ...listSearch,
  /** Whose statement is shown; what all clients owe without one. */
  client: z.uuid().optional().catch(undefined),
  currency: z.enum(PAY_CURRENCIES).optional().catch(undefined),
  /** First and last day, yyyy-MM-dd; from three months ago until today without them. */
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
});
export type StatementSearch = z.infer<typeof statementSearch>;
