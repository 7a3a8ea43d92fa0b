import { describe, expect, it } from 'vitest';
import { offsetOf } from './fence-picture.tsx';

const site = { latitude: 6.3, longitude: -10.8 };

describe('where a clock event lies', () => {
  it('is told in metres to the east and to the north of the site', () => {
    const point = offsetOf('6.31,-10.79', site);
    // A hundredth of a degree: 1,112 m of latitude, and a little less of longitude so near the equator.
    expect(point?.north).toBeCloseTo(1112, 0);
    expect(point?.east).toBeCloseTo(1105.2, 0);
  });

  it('is unknown without a position of either', () => {
    expect(offsetOf(null, site)).toBeUndefined();
    expect(offsetOf('nowhere', site)).toBeUndefined();
    expect(offsetOf('6.3,-10.8', { latitude: null, longitude: -10.8 })).toBeUndefined();
  });
});
