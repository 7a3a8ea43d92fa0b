// What the outbox can send: features register a handler for each kind of entry, loaded when the first one is due.
import type { ZodType } from 'zod';
import type { Client } from '../supabase/client.ts';
import { NotSent } from './answers.ts';
import type { Send } from './sender.ts';

/** Sends one entry; passes each answer through `accepted`. Called again after a lost answer, with the same id. */
export type SendEntry = Send<Client>;

/** Kinds that features submit and the staff portal registers. */
export const INCIDENT_KIND = 'incident';
export const LEAVE_KIND = 'leave';

type Kind = { load: () => Promise<SendEntry>; isOrdered: boolean };

const kinds = new Map<string, Kind>();

/** To be called by a portal before anything is sent. @param isOrdered whether one must arrive before the next is sent */
export function registerKind(kind: string, load: Kind['load'], isOrdered = false): void {
  kinds.set(kind, { load, isOrdered });
}

export const knownKinds = () => [...kinds.keys()];

export const isOrdered = (kind: string) => kinds.get(kind)?.isOrdered ?? true;

export async function sendOf(kind: string): Promise<SendEntry | undefined> {
  return kinds.get(kind)?.load();
}

/** @throws NotSent where another version of the app wrote it, so that it is shown and holds nothing back */
export function payloadOf<Payload>(schema: ZodType<Payload>, payload: unknown): Payload {
  const { data, error } = schema.safeParse(payload);
  if (error) {
    console.error('An entry of the outbox can’t be read:', error);
    throw new NotSent('refused', 'This version of the app can’t read it. Ask your supervisor.');
  }
  return data;
}
