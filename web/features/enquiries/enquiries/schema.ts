import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { CONTACT_MESSAGES_STATE } from '#shared/database.values.ts';

export type Enquiry = Database['public']['Tables']['contact_messages']['Row'];

export const handlingSchema = z.object({
  state: z.enum(CONTACT_MESSAGES_STATE),
  note: z
    .string()
    .trim()
    .max(
      limits.CONTACT_MESSAGES_NOTE_MAX,
      `The note must be at most ${limits.CONTACT_MESSAGES_NOTE_MAX} characters`,
    ),
});
export type Handling = z.infer<typeof handlingSchema>;
