// The kinds of entries. Features register a handler for each; it is loaded when its first entry is sent.
import type { ZodType } from 'zod';
import type { Client } from '../supabase/client.ts';
import { NotSent } from './answers.ts';
import type { Send } from './sender.ts';

/** Sends one entry, passing each response through `accepted`. Called again with the same id after a lost response. */
export type SendEntry = Send<Client>;

/** Kinds that features submit and the staff portal registers. */
export const CLOCK_KIND = 'clock';
export const INCIDENT_KIND = 'incident';
export const NOTE_KIND = 'report-note';
export const LEAVE_KIND = 'leave';
export const ANSWER_KIND = 'answer';
export const READING_KIND = 'reading';
export const ANNOUNCEMENT_KIND = 'announcement';
export const SOS_KIND = 'sos';
export const WELFARE_KIND = 'welfare';
export const MUSTER_KIND = 'muster';
export const OFFER_KIND = 'offer';
export const SCAN_KIND = 'scan';
export const HANDOVER_KIND = 'handover';
export const DISPUTE_KIND = 'dispute';
export const NOTICE_KIND = 'duty-notice';
export const UNIT_STEP_KIND = 'unit-step';
export const BOOK_KIND = 'book';

type Kind = { load: () => Promise<SendEntry>; isOrdered: boolean };

const kinds = new Map<string, Kind>();

/** Call it before anything is sent. @param isOrdered whether an entry must arrive before the next one is sent */
export function registerKind(kind: string, load: Kind['load'], isOrdered = false): void {
  kinds.set(kind, { load, isOrdered });
}

export const knownKinds = () => [...kinds.keys()];

export const isOrdered = (kind: string) => kinds.get(kind)?.isOrdered ?? true;

export async function loadSender(kind: string): Promise<SendEntry | undefined> {
  return kinds.get(kind)?.load();
}

/** @throws NotSent if another version of the app wrote the payload: the entry is shown as refused and blocks nothing */
export function parsePayload<Payload>(schema: ZodType<Payload>, payload: unknown): Payload {
  const { data, error } = schema.safeParse(payload);
  if (error) {
    console.error('Unreadable outbox entry:', error);
    throw new NotSent('refused', 'This version of the app can’t read it. Ask your supervisor.');
  }
  return data;
}
