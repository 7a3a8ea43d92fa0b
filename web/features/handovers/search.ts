import { z } from 'zod';

export const handoverSearch = z.object({
  site: z.uuid().optional().catch(undefined),
  open: z.string().optional().catch(undefined),
});
export type HandoverSearch = z.infer<typeof handoverSearch>;
