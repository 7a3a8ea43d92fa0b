import { expect, it } from 'vitest';
import { slots } from '#company';
import { isInRegion, listRegions } from './board-rows.ts';

const region = slots.regions.find(({ counties }) => counties.includes('Bong'))?.name ?? '';

it('filters by county, and by a region of the company', () => {
  expect(isInRegion('Bong', 'Bong')).toBe(true);
  expect(isInRegion('Bong', region)).toBe(true);
  expect(isInRegion('Sinoe', 'Bong')).toBe(false);
  expect(isInRegion('Sinoe', region)).toBe(false);
  expect(isInRegion(null, region)).toBe(false);
});

it('offers the regions with a site, then the counties by name', () => {
  expect(listRegions(['Nimba', null, 'Bong', 'Nimba'])).toEqual([region, 'Bong', 'Nimba']);
  expect(listRegions([null])).toEqual([]);
});
