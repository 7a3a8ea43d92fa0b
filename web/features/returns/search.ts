import { z } from 'zod';
import { listSearch } from '#web/lib/data/list-search.ts';

export const RETURN_KINDS = ['paye', 'nasscorp'] as const;
export type ReturnKind = (typeof RETURN_KINDS)[number];

export const returnSearch = z.object({
  /** yyyy-MM; the last month by default. */
  month: z
    .string()
    .regex(/^20\d{2}-(0[1-9]|1[0-2])$/)
    .optional()
    .catch(undefined),
  kind: z.enum(RETURN_KINDS).optional().catch(undefined),
  page: listSearch.page,
  /** A return has no dialogs. */
  open: z.undefined().optional().catch(undefined),
});
export type ReturnSearch = z.infer<typeof returnSearch>;
