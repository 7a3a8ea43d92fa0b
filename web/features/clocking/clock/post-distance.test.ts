import { expect, it } from 'vitest';
import {
  distanceFrom,
  formatAge,
  formatDistance,
  isImprecise,
  isOutsideFence,
  notSure,
} from './post-distance.ts';

const post = { latitude: 6.3, longitude: -10.8, geofence_radius_m: 200 };
const at = (latitude: number, accuracy = 10) => ({ latitude, longitude: -10.8, accuracy });

it('measures the distance from the post along the great circle', () => {
  // 1,112 m north and 1,105 m east.
  expect(distanceFrom(post, { latitude: 6.31, longitude: -10.79 })).toBe(1568);
  // One degree of latitude.
  expect(distanceFrom(post, at(7.3))).toBe(111_195);
  expect(distanceFrom(post, at(6.3))).toBe(0);
  expect(distanceFrom({ ...post, latitude: null, longitude: null }, at(6.3))).toBeUndefined();
});

it('is outside beyond the radius, and never where the site has no position', () => {
  expect(isOutsideFence(post, at(6.3017))).toBe(false);
  expect(isOutsideFence(post, at(6.302))).toBe(true);
  expect(isOutsideFence(post, at(6.3019, 3))).toBe(true);
  expect(isOutsideFence({ ...post, latitude: null, longitude: null }, at(7))).toBe(false);
});

it('is outside for certain only: 1,112 m away with an accuracy of 911 m is, with 912 m it is not', () => {
  expect(isOutsideFence(post, at(6.31, 911))).toBe(true);
  expect(isOutsideFence(post, at(6.31, 912))).toBe(false);
  expect(isOutsideFence(post, at(6.31, 3000))).toBe(false);
});

it('a phone that heard no satellites is not sure where it is', () => {
  expect(isImprecise({ accuracy: 250 })).toBe(false);
  expect(isImprecise({ accuracy: 2500 })).toBe(true);
  expect(notSure({ accuracy: 2500 })).toBe('Your phone is not sure where you are (2.5 km)');
});

it.each([
  [4, '4 s old'],
  [180, '3 min old'],
  [7_300, '2 h old'],
])('a location of %d s is %s', (seconds, text) => {
  expect(formatAge(seconds)).toBe(text);
});

it.each([
  [35, '35 m'],
  [999, '999 m'],
  [1449, '1.4 km'],
  [99_960, '100 km'],
])('%d metres are %s', (metres, text) => {
  expect(formatDistance(metres)).toBe(text);
});
