import { describe, expect, it } from 'vitest';
import { followClock, hasJumped, type KnownOffset } from './offset.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const NOON = Date.parse('2026-11-29T12:00:00Z');

/** A phone whose clock is so much behind the server's, seen at noon by its own clock. */
const phone = (offset: number, ticks: number | null = 1_000): KnownOffset => ({
  offset,
  isDoubted: false,
  seen: { deviceAt: NOON, ticks },
});
/** @param passed by the device's clock @param ticks by the page's own; null in a new page */
const later = (passed: number, ticks: number | null) => ({
  deviceAt: NOON + passed,
  ticks: ticks === null ? null : 1_000 + ticks,
});

describe('in one page', () => {
  it('the offset stays while both clocks run', () => {
    expect(followClock(phone(3 * HOUR), later(HOUR, HOUR))).toMatchObject({
      offset: 3 * HOUR,
      isDoubted: false,
    });
  });
  it('a fast clock that is set back to the right time has no offset any more', () => {
    const moment = later(10 * MINUTE - 3 * HOUR, 10 * MINUTE);
    expect(followClock(phone(-3 * HOUR), moment)).toMatchObject({ offset: 0, isDoubted: false });
    expect(hasJumped(phone(-3 * HOUR), moment)).toBe(true);
  });
  it('a slow clock that is set forward to the right time has no offset any more', () => {
    const moment = later(10 * MINUTE + 3 * HOUR, 10 * MINUTE);
    expect(followClock(phone(3 * HOUR), moment)).toMatchObject({ offset: 0, isDoubted: true });
  });
  it('a phone that slept keeps its offset: the monotonic clock stood still', () => {
    expect(followClock(phone(200), later(8 * HOUR, MINUTE))).toMatchObject({
      offset: 200,
      isDoubted: false,
    });
    expect(followClock(phone(-3 * HOUR), later(8 * HOUR, MINUTE))).toMatchObject({
      offset: -3 * HOUR,
      isDoubted: false,
    });
    expect(followClock(phone(3 * HOUR), later(HOUR, MINUTE))).toMatchObject({
      offset: 3 * HOUR,
      isDoubted: false,
    });
  });
  it('a slow clock is doubted once it has slept longer than it was slow', () => {
    expect(followClock(phone(3 * HOUR), later(8 * HOUR, MINUTE))).toMatchObject({
      offset: 3 * HOUR,
      isDoubted: true,
    });
  });
});

describe('in a new page', () => {
  it('the stored offset holds while the clock goes on', () => {
    expect(followClock(phone(-3 * HOUR, null), later(HOUR, 0))).toMatchObject({
      offset: -3 * HOUR,
      isDoubted: false,
    });
  });
  it('a fast clock that was set back to the right time has no offset any more', () => {
    expect(followClock(phone(-3 * HOUR, null), later(HOUR - 3 * HOUR, 0))).toMatchObject({
      offset: 0,
      isDoubted: true,
    });
  });
  it('after an empty battery it is at least as late as before', () => {
    const { offset } = followClock(phone(0, null), { deviceAt: 0, ticks: 0 });
    expect(offset).toBe(NOON);
  });
  it('a slow clock is doubted if more time has passed than it was slow', () => {
    expect(followClock(phone(3 * HOUR, null), later(HOUR, 0))).toMatchObject({ isDoubted: false });
    expect(followClock(phone(3 * HOUR, null), later(4 * HOUR, 0))).toMatchObject({
      offset: 3 * HOUR,
      isDoubted: true,
    });
  });
});
