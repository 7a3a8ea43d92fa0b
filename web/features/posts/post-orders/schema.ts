import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';

export type ListedOrder = Database['public']['Views']['newest_post_orders']['Row'];
export type PostOrder = Database['public']['Tables']['post_orders']['Row'];

export const orderSchema = z.object({
  site_id: z.string().min(1, 'Choose a site'),
  /** Empty for the whole site. */
  post_id: z.string(),
  title: textField('Title', limits.POST_ORDERS_TITLE_MAX).min(1, 'Title is required'),
  valid_from: dayField('Choose the day from which it applies'),
  body: textField('Text', limits.POST_ORDERS_BODY_MAX).min(1, 'Write the orders'),
});
export type OrderForm = z.infer<typeof orderSchema>;

/** @param order that the new version starts from */
export const toForm = (order: PostOrder | undefined, siteId: string | undefined): OrderForm => ({
  site_id: order?.site_id ?? siteId ?? '',
  post_id: order?.post_id ?? '',
  title: order?.title ?? '',
  valid_from: today(),
  body: order?.body ?? '',
});
