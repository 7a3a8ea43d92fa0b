// The token beside a user's queue. Apart from the rest of the outbox: every Logout button asks for it.
import { z } from 'zod';
import { backend } from '../supabase/client.ts';
import { getUserValue, setUserValue } from './store.ts';

const NAME = 'delivery';

const deliverySchema = z.object({
  token: z.string(),
  /** Of this device; the token works with no other. */
  device: z.uuid(),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
});

export type Delivery = z.infer<typeof deliverySchema>;

export async function readDelivery(userId: string): Promise<Delivery | undefined> {
  return deliverySchema.safeParse(await getUserValue(userId, NAME)).data;
}

export const storeDelivery = (userId: string, delivery: Delivery) =>
  setUserValue(userId, NAME, delivery);

/** Removes it from the device, then from the server if it can be reached; there it runs out by itself. */
export async function dropDelivery(userId: string): Promise<void> {
  const delivery = await readDelivery(userId);
  if (!delivery) return;
  await setUserValue(userId, NAME, null);
  const { supabaseUrl, supabaseAnonKey } = backend.config;
  void fetch(`${supabaseUrl}/rest/v1/rpc/end_delivery_token`, {
    method: 'POST',
    headers: { apikey: supabaseAnonKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ p_token: delivery.token, p_device_id: delivery.device }),
    // The page may be closed right after signing out.
    keepalive: true,
  }).catch(console.warn);
}
