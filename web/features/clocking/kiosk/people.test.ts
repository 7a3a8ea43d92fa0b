import { expect, test } from 'vitest';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { type KioskPerson, peopleNow } from './people.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-22T12:00:00Z');

const at = (hours: number) => new Date(NOW + hours * HOUR).toISOString();

function person(name: string, from: number, to: number, more: Partial<KioskPerson> = {}) {
  return {
    assignment_id: crypto.randomUUID(),
    user_id: crypto.randomUUID(),
    name,
    role: 'Guard',
    start_time: at(from),
    end_time: at(to),
    state: 'none' as const,
    ...more,
  };
}

function entry(kind: 'in' | 'out', { assignment_id, user_id }: KioskPerson): OutboxEntry {
  const pin = { iv: new Uint8Array(12), data: new ArrayBuffer(20) };
  const payload = {
    assignmentId: assignment_id,
    userId: user_id,
    kind,
    pin,
    gps: null,
    accuracyM: null,
  };
  return {
    ...{ id: crypto.randomUUID(), userId: 'kiosk', kind: 'kiosk', title: '', payload },
    ...{ sequence: 1, madeAt: NOW, offsetMs: null, state: 'waiting', reason: null, attempts: 0 },
  };
}

const shown = (people: KioskPerson[], entries: OutboxEntry[] = []) =>
  peopleNow(people, entries, NOW).map(({ name, state }) => `${name} ${state}`);

test('shows who can clock in or out now, by name', () => {
  const people = [
    person('Too early', 5, 13),
    person('Coming', 3, 11),
    person('Late', -2, 6),
    person('Ended', -9, -1),
    person('Forgot', -9, -1, { state: 'in' }),
  ];
  expect(shown(people)).toEqual(['Coming none', 'Forgot in', 'Late none']);
});

test('a guard with two shifts shows once: the open one, then the one that is not worked', () => {
  const user_id = crypto.randomUUID();
  const worked = person('Double', -8, 0.5, { user_id, state: 'out' });
  const next = person('Double', 0.5, 8, { user_id });
  expect(shown([worked, next])).toEqual(['Double none']);
  expect(shown([{ ...worked, state: 'in' }, next])).toEqual(['Double in']);
});

test('unsent events count, in order', () => {
  const guard = person('Guard', -1, 7);
  expect(shown([guard], [entry('in', guard)])).toEqual(['Guard in']);
  expect(shown([guard], [entry('in', guard), entry('out', guard)])).toEqual(['Guard out']);
  expect(shown([guard], [{ ...entry('in', guard), payload: 'of another version' }])).toEqual([
    'Guard none',
  ]);
});
