// Apart from the rest of the outbox: every Logout button asks for it, also where nothing is sent.
import { outboxStore } from './store.ts';

/** @returns how many of the user's entries are not sent yet */
export async function countWaiting(userId: string): Promise<number> {
  const entries = await (await outboxStore()).listOf(userId);
  return entries.filter(({ state }) => state === 'waiting').length;
}
