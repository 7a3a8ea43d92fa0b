import { expect, test } from 'vitest';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { progressOf, type UnitStep, waitingSteps } from './unit-call.ts';

const ID = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6a';
const entry = (kind: string, payload: unknown): OutboxEntry => ({
  ...{ id: ID, userId: ID, kind, title: kind, payload, sequence: 1, madeAt: 1, offsetMs: null },
  ...{ state: 'waiting', reason: null, attempts: 0 },
});
const step = (wanted: UnitStep, assignedId = ID) =>
  entry('unit-step', { assignedId, step: wanted, gps: null });

test('steps that wait to be sent count as done', () => {
  const asked = { state: 'assigned', accepted_at: null };
  expect(progressOf(asked, []).last).toBeUndefined();
  expect(progressOf(asked, ['accepted', 'en_route'])).toMatchObject({ last: 'en_route' });
  expect(progressOf(asked, ['accepted']).isDone('declined')).toBe(true);
  expect(progressOf(asked, ['declined'])).toMatchObject({ last: 'declined' });
});

test('the server may know more than the phone, and a later step includes those before it', () => {
  const { last, isDone } = progressOf({ state: 'on_scene', accepted_at: 'x' }, ['en_route']);
  expect(last).toBe('on_scene');
  expect(isDone('en_route')).toBe(true);
  expect(isDone('clear')).toBe(false);
  expect(progressOf({ state: 'assigned', accepted_at: 'x' }, []).last).toBe('accepted');
});

test('only steps of this assignment are waited for', () => {
  const other = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6b';
  expect(waitingSteps([step('accepted'), step('clear', other), entry('sos', {})], ID)).toEqual([
    'accepted',
  ]);
});
