import { z } from 'zod';

export const patrolSearch = z.object({
  site: z.uuid().optional().catch(undefined),
  day: z.iso.date().optional().catch(undefined),
  open: z.string().optional().catch(undefined),
});
export type PatrolSearch = z.infer<typeof patrolSearch>;
