import { describe, expect, it } from 'vitest';
import { findOffset } from './fence-picture.tsx';

const site = { latitude: 6.3, longitude: -10.8 };

describe('the offset of a clock event', () => {
  it('is in metres east and north of the site', () => {
    const point = findOffset('6.31,-10.79', site);
    // 0.01 degrees: 1,112 m of latitude, slightly less of longitude this close to the equator.
    expect(point?.north).toBeCloseTo(1112, 0);
    expect(point?.east).toBeCloseTo(1105.2, 0);
  });

  it('is unknown unless both positions are known', () => {
    expect(findOffset(null, site)).toBeUndefined();
    expect(findOffset('nowhere', site)).toBeUndefined();
    expect(findOffset('6.3,-10.8', { latitude: null, longitude: -10.8 })).toBeUndefined();
  });
});
