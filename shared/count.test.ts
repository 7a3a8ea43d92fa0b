// Numbers look as the browser's own formatter shows them.
import { expect, it } from 'vitest';
import { formatCompact, formatCount } from './count.ts';

const SIZES = [
  0, 1, 9, 12, 99, 100, 450, 999, 1000, 1234, 9999, 10_000, 54_321, 999_949, 1_250_000,
];
const LARGE = [12_345_678, 987_654_321, 1_234_567_890, 45_600_000_000, 7_890_000_000_000];

it.each([...SIZES, ...LARGE].flatMap((size) => (size === 0 ? [0] : [size, -size])))(
  '%d',
  (value) => {
    const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
    expect(formatCount(value)).toBe(value.toLocaleString('en-US'));
    expect(formatCompact(value)).toBe(compact.format(value));
    expect(formatCompact(value / 4)).toBe(compact.format(value / 4));
  },
);
