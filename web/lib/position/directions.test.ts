import { expect, it } from 'vitest';
import { directionsTo } from './directions.ts';

const site = { address: 'Freeport, Monrovia', latitude: 6.35, longitude: -10.79 };

it('gives directions to the position, or to the address', () => {
  expect(directionsTo(site)).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=6.35%2C-10.79',
  );
  expect(directionsTo({ ...site, latitude: null, longitude: null })).toContain(
    'destination=Freeport%2C+Monrovia',
  );
});
