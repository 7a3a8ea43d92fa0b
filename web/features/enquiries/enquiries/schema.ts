import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { ENQUIRY_STATUSES } from '#web/lib/vocabulary/statuses.ts';

export type Enquiry = Database['public']['Tables']['contact_messages']['Row'];

export const handlingSchema = z.object({
  state: z.enum(ENQUIRY_STATUSES),
  note: z.string().trim().max(5000, 'The note must be at most 5000 characters'),
});
export type Handling = z.infer<typeof handlingSchema>;
