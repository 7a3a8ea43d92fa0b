import { z } from 'zod';
import { listSearch } from '#web/lib/data/list-search.ts';
import { PAY_CURRENCIES } from '#web/lib/vocabulary/kinds.ts';

export const MARGIN_GROUPS = ['site', 'client', 'month'] as const;

/** Of pay and lines that belong to no site or client. */
export const NONE = 'none';

const idOrNone = z
  .union([z.uuid(), z.literal(NONE)])
  .optional()
  .catch(undefined);

export const marginSearch = z.object({
  /** Days of the first and the last month, yyyy-MM-dd; the last six whole months without them. */
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
  /** What is converted into US dollars without it. */
  currency: z
    .enum([...PAY_CURRENCIES, 'apart'])
    .optional()
    .catch(undefined),
  client: idOrNone,
  by: z.enum(MARGIN_GROUPS).optional().catch(undefined),
  page: listSearch.page,
  /** The site whose hours are open. */
  open: idOrNone,
});
export type MarginSearch = z.infer<typeof marginSearch>;
