import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';

type Equipment = Database['public']['Tables']['equipment']['Row'];

export const equipmentSchema = z.object({
  site_id: z.string(),
  /** Empty for every post of the site. */
  post_id: z.string(),
  name: textField('Name', limits.EQUIPMENT_NAME_MAX).min(1, 'Name is required'),
  serial: textField('Serial number', limits.EQUIPMENT_SERIAL_MAX),
  quantity: wholeNumberField({
    name: 'Quantity',
    required: 'Quantity is required',
    minimum: limits.EQUIPMENT_QUANTITY_MIN,
    maximum: limits.EQUIPMENT_QUANTITY_MAX,
  }),
});
export type EquipmentForm = z.infer<typeof equipmentSchema>;

export const toEquipmentForm =
  (siteId: string) =>
  (row?: Equipment): EquipmentForm => ({
    site_id: row?.site_id ?? siteId,
    post_id: row?.post_id ?? '',
    name: row?.name ?? '',
    serial: row?.serial ?? '',
    quantity: row?.quantity.toString() ?? '1',
  });

export const equipmentRow = ({ post_id, serial, quantity, ...rest }: EquipmentForm) => ({
  ...rest,
  post_id: orNull(post_id),
  serial: orNull(serial),
  quantity: parseWholeNumber(quantity),
});
