import { describe, expect, it } from 'vitest';
import { availabilitySchema, daysText } from './schema.ts';

const form = { kind: 'avoid', when: '6', from_day: '', to_day: '', part: '', note: '' };
const messages = (change: Partial<typeof form>) =>
  availabilitySchema.safeParse({ ...form, ...change }).error?.issues.map(({ message }) => message);

describe('availability', () => {
  it('is for a weekday, or for dates in order', () => {
    expect(messages({})).toBeUndefined();
    expect(messages({ when: '7' })).toHaveLength(1);
    expect(messages({ when: 'dates' })).toEqual(['First day is required']);
    expect(messages({ when: 'dates', from_day: '2026-12-24', to_day: '2026-12-20' })).toEqual([
      'Last day must not be before the first',
    ]);
    expect(messages({ when: 'dates', from_day: '2026-12-24' })).toBeUndefined();
  });

  it('is named by its days', () => {
    const none = { weekday: null, from_day: null, to_day: null, part: null };
    expect(daysText({ ...none, weekday: 6, part: 'night' })).toBe('Sundays, nights only');
    expect(daysText({ ...none, weekday: 0 })).toBe('Mondays');
    expect(daysText({ ...none, from_day: '2026-12-24', to_day: '2026-12-26' })).toContain('Dec 24');
  });
});
