import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { amountField } from '#web/lib/form-fields/amount-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';

export const receiveSchema = z.object({
  /** Of the receipt, made when the form opens, so that a repeated save records one. */
  id: z.uuid(),
  client: z.string().min(1, 'Choose a client'),
  withheld: amountField({ name: 'Tax withheld', negative: 'Tax withheld cannot be negative' }),
  reference: textField('Reference', limits.RECEIPTS_REFERENCE_MAX),
  /** Whether it was looked at beside receipts that are like it. */
  is_another: z.boolean(),
});
export type ReceiveForm = z.infer<typeof receiveSchema>;
