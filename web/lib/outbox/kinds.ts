// What the outbox can send: features register a handler for each kind of entry, loaded when the first one is due.
import type { Client } from '../supabase.ts';
import type { Send } from './sender.ts';

/** Sends one entry; passes each answer through `accepted`. Called again after a lost answer, with the same id. */
export type SendEntry = Send<Client>;

const kinds = new Map<string, () => Promise<SendEntry>>();

/** To be called by a portal before anything is sent. */
export function registerKind(kind: string, load: () => Promise<SendEntry>): void {
  kinds.set(kind, load);
}

export async function sendOf(kind: string): Promise<SendEntry | undefined> {
  return kinds.get(kind)?.();
}
