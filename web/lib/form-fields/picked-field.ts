import { z } from 'zod';

/** What a picker stores: the record, and how it is shown. */
export const pickedSchema = z.object({
  id: z.uuid(),
  label: z.string(),
  hint: z.string().optional(),
});
