import { describe, expect, it } from 'vitest';
import { isLate, WORK } from './work.ts';

const MINUTE = 60_000;
const at = (time: string): number => Date.parse(`2026-11-29T${time}:00Z`);
const HOURLY = { name: 'private.apply_pay_bases', lateSeconds: 3_600 };

describe('work that the product does by itself', () => {
  it('has a name of its own and a limit', () => {
    expect(new Set(WORK.map(({ name }) => name)).size).toBe(WORK.length);
    for (const { lateSeconds } of WORK) expect(lateSeconds).toBeGreaterThan(0);
  });

  it('is late once its limit has passed', () => {
    const startedAt = at('00:00');
    const due = at('12:00');
    expect(isLate(HOURLY, due, { now: at('13:00'), startedAt })).toBe(false);
    expect(isLate(HOURLY, due, { now: at('13:01'), startedAt })).toBe(true);
    expect(isLate(HOURLY, at('14:00'), { now: at('13:01'), startedAt })).toBe(false);
  });

  it('gets the same time after a start for what was due while no server ran', () => {
    const startedAt = at('12:00');
    const twoDaysAgo = at('12:00') - 48 * 60 * MINUTE;
    expect(isLate(HOURLY, twoDaysAgo, { now: at('12:59'), startedAt })).toBe(false);
    expect(isLate(HOURLY, twoDaysAgo, { now: at('13:01'), startedAt })).toBe(true);
  });

  it('is late, too, if it has never run', () => {
    const startedAt = at('12:00');
    expect(isLate(HOURLY, undefined, { now: at('12:30'), startedAt })).toBe(false);
    expect(isLate(HOURLY, undefined, { now: at('13:30'), startedAt })).toBe(true);
  });
});
