import { expect, it } from 'vitest';
import { dayAfter, daysOfWeek, findMonday, startOfDay } from '#web/lib/format/days.ts';
import { describeInBrowserZones } from '../../../../tests/support/browser-zones.ts';
import {
  findEndDate,
  formatShift,
  formatShortHours,
  toInstants,
  toWallTimes,
} from './shift-times.ts';

describeInBrowserZones(() => {
  const night = {
    start_time: '2031-11-21T17:00:00+00:00',
    end_time: '2031-11-22T05:00:00+00:00',
    timezone: 'Africa/Lagos',
  };

  it('shows and reads times in the site’s zone', () => {
    expect(formatShortHours(night)).toBe('6 PM - 6 AM');
    expect(formatShift(night)).toBe('Nov 21, 2031, 6:00 PM - Nov 22, 2031, 6:00 AM');
    const times = toWallTimes(night);
    expect(times).toEqual({
      start_date: '2031-11-21',
      start_time: '18:00',
      end_date: '2031-11-22',
      end_time: '06:00',
    });
    expect(toInstants(times, 'Africa/Lagos')).toEqual({
      start_time: '2031-11-21T17:00:00.000Z',
      end_time: '2031-11-22T05:00:00.000Z',
    });
    expect(toInstants(times, 'Africa/Monrovia').start_time).toBe('2031-11-21T18:00:00.000Z');
  });

  it('shows the date once for a shift within one day', () => {
    const day = {
      ...night,
      start_time: '2031-11-21T05:00:00Z',
      end_time: '2031-11-21T17:00:00Z',
    };
    expect(formatShift(day)).toBe('Nov 21, 2031, 6:00 AM - 6:00 PM');
  });

  it('starts days at midnight in the company’s zone, and weeks on Monday', () => {
    expect(startOfDay('2026-11-21')).toBe('2026-11-21T00:00:00.000Z');
    expect(findMonday('2026-11-22')).toBe('2026-11-16');
    expect(findMonday('2026-11-23')).toBe('2026-11-23');
    expect(daysOfWeek('2026-12-28').at(-1)).toBe('2027-01-03');
    expect(dayAfter('2028-02-28', 1)).toBe('2028-02-29');
  });

  it.each([
    ['06:00', '18:00', '2026-12-31'],
    ['18:00', '06:00', '2027-01-01'],
    ['06:00', '06:00', '2027-01-01'],
    ['18:00', '', '2026-12-31'],
  ])('ends a shift from %s to %s on %s', (start_time, end_time, end_date) => {
    expect(findEndDate({ start_date: '2026-12-31', start_time, end_time })).toBe(end_date);
  });
});
