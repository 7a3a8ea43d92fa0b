// Small things that a person's next visit needs without a network: theirs alone, on this device.
import { outboxStore } from './store.ts';

const nameOf = (userId: string, name: string) => `${userId}:${name}`;

/** @returns what was remembered, to be parsed; undefined where nothing was */
export async function recallOf(userId: string, name: string): Promise<unknown> {
  return (await outboxStore()).recall(nameOf(userId, name));
}

/** @throws OutboxFull when there is no room */
export async function rememberOf(userId: string, name: string, value: unknown): Promise<void> {
  await (await outboxStore()).remember(nameOf(userId, name), value);
}
