import { startSending } from '#web/lib/outbox/sending.ts';
import { outboxStore } from '#web/lib/outbox/store.ts';
import { registerKinds } from './outbox-kinds.ts';

/** Sends what guards left on a shared phone, also while nobody is signed in. */
export async function deliverLeft(): Promise<void> {
  const owners = await (await outboxStore()).listOwners();
  if (owners.length === 0) return;
  registerKinds();
  startSending();
}
