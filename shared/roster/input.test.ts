import { describe, expect, it } from 'vitest';
import { company, guard, shiftAt } from '#tests/support/roster-company.ts';
import { rosterInputSchema } from './input.ts';

describe('roster input', () => {
  it('keeps what the database sends', () => {
    const input = company({
      shifts: [shiftAt('gate', '2026-11-23T18:00Z', 12)],
      people: [guard('ada', { home: [6.3, -10.8], leave: [['2026-11-24', '2026-11-26']] })],
    });
    expect(rosterInputSchema.parse(JSON.parse(JSON.stringify(input)))).toEqual(input);
  });

  it.each([
    ['a time with seconds', { shifts: [{ ...shiftAt('gate', '2026-11-23', 8), start: 0.5 }] }],
    ['a day that is none', { from: '23.11.2026' }],
    ['a change of an unknown kind', { changes: [{ shift_id: 'a', user_id: 'b', change: 'move' }] }],
  ])('refuses %s', (_, part) => {
    expect(rosterInputSchema.safeParse({ ...company({}), ...part }).success).toBe(false);
  });
});
