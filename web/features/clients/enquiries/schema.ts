import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { CONTACT_MESSAGES_STATE } from '#shared/database.values.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';

export type Enquiry = Database['public']['Tables']['contact_messages']['Row'];

export const handlingSchema = z.object({
  state: z.enum(CONTACT_MESSAGES_STATE),
  note: textField('The note', limits.CONTACT_MESSAGES_NOTE_MAX),
});
export type Handling = z.infer<typeof handlingSchema>;
