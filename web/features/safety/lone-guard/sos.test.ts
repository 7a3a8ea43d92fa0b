import { expect, it } from 'vitest';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { queuedSos, sosText } from './sos.ts';

const AT = Date.parse('2026-11-28T14:05:00Z');
const ID = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6a';

it('the text message names the guard, the site, the time and a link to the position', () => {
  const facts = { name: 'Prince Dolo', siteName: 'Freeport Gate', at: AT };
  expect(sosText({ ...facts, gps: '6.300010,-10.800020', timezone: 'Africa/Monrovia' })).toBe(
    'SOS Prince Dolo, Freeport Gate, 2:05 PM, https://maps.google.com/?q=6.300010,-10.800020',
  );
  expect(sosText({ ...facts, siteName: null, gps: null, timezone: null })).toBe(
    'SOS Prince Dolo, 2:05 PM, position unknown',
  );
});

const entryOf = (step: object, change: Partial<OutboxEntry> = {}): OutboxEntry => ({
  ...{ id: crypto.randomUUID(), userId: ID, kind: 'sos', title: 'SOS', sequence: 1, madeAt: AT },
  ...{ offsetMs: null, state: 'waiting', reason: null, attempts: 0 },
  payload: {
    ...{ step: 'raise', sosId: ID, deviceAt: AT, offsetMs: 60_000, gps: null, accuracyM: null },
    ...{ note: null, ...step },
  },
  ...change,
});

it('reads a waiting SOS with the position and the false alarm that follow it', () => {
  expect(queuedSos([])).toBeUndefined();
  const raised = entryOf({ siteName: 'Freeport Gate' });
  expect(queuedSos([raised])).toMatchObject({
    ...{ at: AT + 60_000, gps: null, isRaiseWaiting: true, isCancelled: false },
    refusal: undefined,
  });
  const steps = [entryOf({ step: 'place', gps: '6.3,-10.8' }), entryOf({ step: 'cancel' })];
  expect(queuedSos([raised, ...steps])).toMatchObject({
    ...{ gps: '6.3,-10.8', isRaiseWaiting: true, isCancelled: true },
    sos: { siteName: 'Freeport Gate' },
  });
  // The call for help has arrived; its position waits.
  expect(queuedSos(steps)).toMatchObject({ isRaiseWaiting: false, gps: '6.3,-10.8' });
  const refused = entryOf({}, { state: 'refused', reason: 'Your account is closed.' });
  expect(queuedSos([refused])).toMatchObject({
    ...{ isRaiseWaiting: false, refusal: 'Your account is closed.' },
  });
});
