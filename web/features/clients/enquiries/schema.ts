import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { CONTACT_MESSAGES_STAGE, CONTACT_MESSAGES_STATE } from '#shared/database.values.ts';
import { optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';

export type Enquiry = Database['public']['Tables']['contact_messages']['Row'];

export const handlingSchema = z
  .object({
    state: z.enum(CONTACT_MESSAGES_STATE),
    stage: z.enum(CONTACT_MESSAGES_STAGE),
    lost_reason: textField('The reason', limits.CONTACT_MESSAGES_LOST_REASON_MAX),
    owner_id: z.string(),
    next_action: textField('The next action', limits.CONTACT_MESSAGES_NEXT_ACTION_MAX),
    next_action_on: optionalDayField,
    note: textField('The note', limits.CONTACT_MESSAGES_NOTE_MAX),
  })
  .refine(({ stage, lost_reason }) => stage !== 'lost' || lost_reason !== '', {
    path: ['lost_reason'],
    error: 'Reason is required',
  })
  .refine(({ next_action, next_action_on }) => next_action === '' || next_action_on !== '', {
    path: ['next_action_on'],
    error: 'Day is required',
  })
  .refine(({ next_action, next_action_on }) => next_action_on === '' || next_action !== '', {
    path: ['next_action'],
    error: 'Next action is required',
  });
export type Handling = z.infer<typeof handlingSchema>;

export const toHandling = (row: Enquiry): Handling => ({
  state: row.state,
  stage: row.stage,
  lost_reason: row.lost_reason ?? '',
  owner_id: row.owner_id ?? '',
  next_action: row.next_action ?? '',
  next_action_on: row.next_action_on ?? '',
  note: row.note ?? '',
});

/** @returns the columns to store */
export const handlingColumns = (form: Handling) => ({
  state: form.state,
  stage: form.stage,
  lost_reason: form.stage === 'lost' ? form.lost_reason : null,
  owner_id: orNull(form.owner_id),
  next_action: orNull(form.next_action),
  next_action_on: orNull(form.next_action_on),
  note: orNull(form.note),
});
