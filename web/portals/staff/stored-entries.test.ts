// A phone may send an entry weeks after an older version of the app stored it. Payloads here are what versions that guards have
// used stored: never edit one. A field that a schema gets later is optional, and a kind stays registered.
import { createClient } from '@supabase/supabase-js';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Database } from '#shared/database.types.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { knownKinds, loadSender } from '#web/lib/outbox/kinds.ts';
import type { Client } from '#web/lib/supabase/client.ts';
import { registerKinds } from './outbox-kinds.ts';

const ID = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6a';
const TIMES = { deviceAt: 1_795_000_000_000, offsetMs: null };
const PLACE = { gps: '6.30001,-10.80002', accuracyM: 12 };

const STORED: Record<string, readonly unknown[]> = {
  clock: (['in', 'out', 'reopen', 'withdraw'] as const).map((kind) => ({
    ...{ id: ID, kind, assignmentId: ID, attendanceId: ID, ...TIMES, ...PLACE, fixAgeS: 3 },
    ...{ enteredAt: null, reason: null, previousHash: null, hash: null },
  })),
  incident: [
    {
      report: {
        ...{ id: ID, raised_by_user_id: ID, site_id: ID, title: 'Gate found open' },
        ...{ category: 'other', severity: 'low' },
        description: 'The vehicle gate was open and unlocked when I came on duty.',
      },
      evidence: [],
    },
  ],
  'report-note': [{ id: ID, incident_id: ID, note: 'The owner has locked it.' }],
  leave: [
    {
      ...{ id: ID, user_id: ID, type: 'annual', reason: 'A wedding in Gbarnga' },
      ...{ start_date: '2031-05-01', end_date: '2031-05-03' },
    },
  ],
  answer: [{ assignmentId: ID, answer: 'decline', reason: 'My child is ill' }],
  announcement: [{ announcementId: ID, version: 1, readAt: '2026-11-30T20:00:00.000Z' }],
  'duty-notice': [
    { assignmentId: ID, kind: 'running_late', minutes: 20, reason: 'Bus broke down' },
    { assignmentId: ID, kind: 'cant_come', minutes: null, reason: 'Ill' },
    { assignmentId: ID, withdraws: ID },
  ],
  reading: [{ orderIds: [ID], readAt: '2026-11-28T20:00:00.000Z' }],
  sos: [
    { step: 'raise', sosId: ID, ...TIMES, ...PLACE, note: null },
    { step: 'cancel', sosId: ID, ...TIMES, gps: null, accuracyM: null, note: 'By mistake' },
  ],
  welfare: [{ assignmentId: ID, ...TIMES }],
  muster: [
    { assignmentId: ID, ...PLACE, fixAgeS: 3 },
    ...['in', 'withdraw', 'absent', 'expected'].map((mark) => ({
      ...{ mark, assignmentId: ID, ...PLACE, fixAgeS: 3 },
    })),
  ],
  offer: [{ offerId: ID, accepts: true }],
  scan: [{ code: '2K7F-93QD', way: 'camera', ...TIMES, ...PLACE, tourId: ID }],
  book: [
    { action: 'write', assignmentId: ID, kind: 'check', text: null },
    {
      ...{ action: 'enter', assignmentId: ID, kind: 'person', name: 'Mary', company: null },
      ...{ host: null, plate: null, badge: '4', documentType: 'passport' },
    },
    { action: 'leave', assignmentId: ID, visitId: ID },
    { action: 'take', assignmentId: ID, keyName: 'Store', takenBy: 'Musa', dueAt: null },
    { action: 'return', assignmentId: ID, keyId: ID },
    { action: 'strike', assignmentId: ID, source: 'entry', lineId: ID, reason: 'Wrong gate' },
  ],
  handover: [
    { assignmentId: ID, at: '2026-11-28T20:00:00.000Z', note: 'Key 4 is missing.' },
    {
      ...{ assignmentId: ID, at: '2026-11-28T20:00:00.000Z' },
      ticks: [{ equipment_id: ID, name: 'Radio', has: true }],
    },
  ],
  'unit-step': ['accepted', 'declined', 'en_route', 'on_scene', 'clear'].map((step) => ({
    ...{ assignedId: ID, step, gps: PLACE.gps },
  })),
  dispute: [{ id: ID, timesheet_id: ID, day: '2026-11-27', note: 'I worked until 8.' }],
};

/** Reaches no server, so that an entry that is read gets no response. */
const connection: Client = createClient<Database>('http://127.0.0.1:9', 'no-key', {
  auth: { persistSession: false, autoRefreshToken: false },
  // Node 20 has no WebSocket. The one of ws works, but its event types differ from the browser's.
  realtime: { transport: WebSocket as never },
  global: { fetch: () => Promise.reject(new TypeError('No network.')) },
});

const context = {
  connection,
  files: async () => [],
  updateFile: async () => {},
  markStored: async () => {},
};

const entryOf = (kind: string, payload: unknown): OutboxEntry => ({
  ...{ id: ID, userId: ID, kind, title: kind, payload, sequence: 1 },
  ...{ madeAt: TIMES.deviceAt, offsetMs: null, state: 'waiting', reason: null, attempts: 0 },
});

registerKinds();

describe('entries that older versions of the app stored', () => {
  it('are of kinds that are still sent', () => {
    expect(knownKinds().sort()).toEqual(Object.keys(STORED).sort());
  });

  it.each(Object.entries(STORED))('%s is still read', async (kind, payloads) => {
    const send = await loadSender(kind);
    for (const payload of payloads) {
      await expect(send?.(entryOf(kind, payload), context)).rejects.toMatchObject({
        verdict: 'offline',
      });
    }
  });

  it('are refused if they can’t be read', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const send = await loadSender('clock');
    await expect(send?.(entryOf('clock', { id: ID }), context)).rejects.toMatchObject({
      verdict: 'refused',
    });
  });
});
