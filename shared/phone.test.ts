import { describe, expect, it } from 'vitest';
import { PHONE_NUMBERS } from '#tests/support/phone-examples.ts';
import { formatPhone, toE164 } from './phone.ts';

// tests/rules/people/phone-numbers.test.ts asks the database for the same.
describe('a phone number', () => {
  it.each(PHONE_NUMBERS)('%j is %s', (written, number) => expect(toE164(written)).toBe(number));

  it('is the same when it is read again as it is shown', () => {
    for (const [, number] of PHONE_NUMBERS) {
      if (number) expect([toE164(number), toE164(formatPhone(number))]).toEqual([number, number]);
    }
  });
});
