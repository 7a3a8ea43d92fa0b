import { describe, expect, it } from 'vitest';
import { amountField, amountOrNull } from './amount-field.ts';
import { parseWholeNumber, wholeNumberField } from './whole-number-field.ts';

const amount = amountField({ name: 'Amount' });
const count = wholeNumberField({ name: 'Guards', required: 'x', minimum: 0, maximum: 100_000 });

describe('number fields', () => {
  it.each(['12,50', '450,00', '1,25', '1 2'])('refuse %j, which was 100 times as much', (entry) => {
    expect(amount.safeParse(entry).success).toBe(false);
    expect(count.safeParse(entry).success).toBe(false);
  });

  it('take thousands separators', () => {
    expect([amount.parse('-1,250.50'), count.parse('12,500')].length).toBe(2);
    expect([
      amountOrNull('-1,250.50'),
      parseWholeNumber('12,500'),
      parseWholeNumber('12 500'),
    ]).toEqual([-1250.5, 12_500, 12_500]);
  });
});
