import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatAmount,
  formatBalance,
  formatCents,
  formatDollars,
  formatMoney,
  parseAmount,
  parseCents,
  sumCents,
} from './money.ts';

describe('an amount that is typed', () => {
  it.each([
    ['1250', '1250.00'],
    [' 1,250.5 ', '1250.50'],
    ['1 250 000.05', '1250000.05'],
    ['.5', '0.50'],
    ['007', '7.00'],
    ['0', '0.00'],
    ['999,999,999,999.99', '999999999999.99'],
    ['1,250', '1250.00'],
    ['1,250,000', '1250000.00'],
    ['1\u00A0250.50', '1250.50'],
    ['12.', '12.00'],
  ])('%j is %s', (entry, amount) => expect(parseAmount(entry)).toBe(amount));

  it.each(['', ' ', '-5', '1.234', '12e3', '$5', '1.2.3', 'abc', '1000000000000', '.', '٣'])(
    '%j is none',
    (entry) => expect(parseAmount(entry)).toBeUndefined(),
  );

  it.each([
    ...[
      '450,00',
      '12,50',
      '1.250,00',
      '0,500',
      '1,25',
      ',50',
      '5,',
      '1,2500',
      '1,,250',
      '1250,000',
    ],
    ...['12 50', '1 25', '1,250 000', '1,250,00', '1,250.5,0', '1250 .5', '01,250'],
  ])('%j is refused, and never multiplied', (entry) => expect(parseAmount(entry)).toBeUndefined());
});

describe('an amount that is shown', () => {
  it.each([
    [0, '0.00'],
    [-0, '0.00'],
    [1234567.8, '1,234,567.80'],
    [-1000, '-1,000.00'],
    [999999999999.99, '999,999,999,999.99'],
    [null, '0.00'],
  ])('%d reads %s', (amount, text) => expect(formatAmount(amount)).toBe(text));

  it('carries its dollar sign behind the minus', () => {
    expect([formatMoney('1250', 'USD'), formatMoney(-350n, 'LRD'), formatMoney(1, 'EUR')]).toEqual([
      '$1,250.00',
      '-L$3.50',
      'EUR 1.00',
    ]);
    expect([formatDollars(1250), formatDollars(-3.5), formatDollars(0)]).toEqual([
      '$1,250.00',
      '-$3.50',
      '$0.00',
    ]);
  });

  it('is a balance in Dr when it is overdrawn', () => {
    expect([formatBalance(-150n), formatBalance(0n), formatBalance(150n)]).toEqual([
      '1.50 Dr',
      '0.00',
      '1.50',
    ]);
  });
});

describe('a sum', () => {
  it('has no binary rest', () => {
    expect(formatCents(sumCents([0.1, 0.2]))).toBe('0.30');
    expect(formatCents(sumCents(Array.from({ length: 1000 }, () => 0.01)))).toBe('10.00');
  });

  it('is the sum of the cents, whatever the amounts', () => {
    const cents = fc.bigInt({ min: -99_999_999_999_999n, max: 99_999_999_999_999n });
    fc.assert(
      fc.property(fc.array(cents, { maxLength: 20 }), (all) => {
        const amounts = all.map((each) => Number(`${each}e-2`));
        expect(amounts.map(parseCents)).toEqual(all);
        expect(sumCents(amounts)).toBe(all.reduce((sum, each) => sum + each, 0n));
      }),
    );
  });

  it.each([
    // More digits than a double holds.
    ['99999999999999.99', 9_999_999_999_999_999n],
    ['-123456789012345678901.23', -12_345_678_901_234_567_890_123n],
    ['7', 700n],
    ['7.', 700n],
    ['7.5', 750n],
    ['-0.00', 0n],
    ['0.005', 1n],
    ['-0.005', -1n],
    ['0.0049', 0n],
  ])('reads the text %s exactly', (text, cents) => expect(parseCents(text)).toBe(cents));

  it.each(['', 'NaN', '1e3', '1,250.00', ' 1'])('does not read %j as an amount', (text) => {
    expect(() => parseCents(text)).toThrow(RangeError);
  });

  it('is exact for text of any length', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (each) => {
        expect(parseCents(formatCents(each).replaceAll(',', ''))).toBe(each);
      }),
    );
  });

  it('comes back from what it reads', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999_999_999_999n }), (each) => {
        expect(parseCents(parseAmount(formatCents(each)))).toBe(each);
      }),
    );
  });
});
