import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { degreesEntry, parsePosition, pastedPair } from './degrees.ts';
import { type SiteForm, siteSchema, toForm, toRow } from './schema.ts';

const valid: SiteForm = {
  ...toForm(),
  name: 'North Gate',
  client_name: 'Harbour Trading',
  address: 'Bushrod Island',
};

function messages(form: SiteForm) {
  const result = siteSchema.safeParse(form);
  return result.success ? {} : z.flattenError(result.error).fieldErrors;
}

describe('the site form', () => {
  it('reports every missing field', () => {
    expect(messages({ ...toForm(), geofence_radius_m: ' ' })).toEqual({
      name: ['Site name is required'],
      client_name: ['Client name is required'],
      address: ['Address is required'],
      geofence_radius_m: ['Geofence radius is required'],
    });
  });

  it.each([
    ['latitude', '91'],
    ['latitude', '6,3'],
    ['longitude', '-180.1'],
    ['longitude', 'west'],
  ] as const)('rejects the %s %s', (field, entry) => {
    const pair = { latitude: '6.3', longitude: '-10.8', [field]: entry };
    expect(Object.keys(messages({ ...valid, ...pair }))).toEqual([field]);
  });

  it.each([
    ['alert_after_minutes', '0'],
    ['escalate_after_minutes', '241'],
    ['welfare_every_minutes', '9'],
    ['welfare_every_minutes', 'often'],
    ['no_signal_after_minutes', '9'],
  ] as const)('rejects %s %s', (field, entry) => {
    expect(Object.keys(messages({ ...valid, [field]: entry }))).toEqual([field]);
  });

  it('has a way to clock in at least, and checks and alerts of silence only where they are wanted', () => {
    expect(messages({ ...valid, clock_ways: [] })).toEqual({
      clock_ways: ['Choose at least one way'],
    });
    expect(toRow(valid)).toMatchObject({
      welfare_every_minutes: null,
      no_signal_after_minutes: 15,
    });
    expect(toRow({ ...valid, no_signal_after_minutes: '' }).no_signal_after_minutes).toBeNull();
    expect(toRow({ ...valid, welfare_every_minutes: '30' }).welfare_every_minutes).toBe(30);
  });

  it('knows a county, or none', () => {
    expect(toRow(valid).county).toBeNull();
    expect(toRow({ ...valid, county: 'Bong' }).county).toBe('Bong');
  });

  it('requires both coordinates or neither', () => {
    expect(messages(valid)).toEqual({});
    expect(messages({ ...valid, latitude: '6.3' })).toEqual({
      longitude: ['Enter both coordinates, or neither'],
    });
  });

  it.each(['9', '50001', '12.5', 'wide'])('rejects a radius of %s metres', (entry) => {
    expect(messages({ ...valid, geofence_radius_m: entry })).toEqual({
      geofence_radius_m: ['Geofence radius must be a whole number from 10 to 50000'],
    });
  });

  it('stores coordinates as numbers, and empty ones as null', () => {
    expect(toRow(valid)).toMatchObject({
      latitude: null,
      longitude: null,
      geofence_radius_m: 200,
    });
    expect(toRow({ ...valid, latitude: '6.3005', longitude: '-10.7969' })).toMatchObject({
      latitude: 6.3005,
      longitude: -10.7969,
    });
  });
});

describe('coordinates', () => {
  it('are shown with at most six decimals', () => {
    expect(degreesEntry(6.300_512_345_6)).toBe('6.300512');
    expect(degreesEntry(-10.8)).toBe('-10.8');
  });

  it.each([
    ['6.3005, -10.7969', ['6.3005', '-10.7969']],
    ['6.3005 -10.7969', ['6.3005', '-10.7969']],
    [' 6.3;-10.8 ', ['6.3', '-10.8']],
    ['6.3', undefined],
    ['6.3, -10.8, 4', undefined],
    ['north, south', undefined],
  ])('are read from the pasted text %j', (text, pair) => {
    expect(pastedPair(text)).toEqual(pair);
  });

  it('make a map position only as a pair, and not at the poles', () => {
    expect(parsePosition('6.3', '-10.8')).toEqual({ latitude: 6.3, longitude: -10.8 });
    expect(parsePosition('6.3', '')).toBeUndefined();
    expect(parsePosition('-', '1')).toBeUndefined();
    expect(parsePosition('89', '1')).toBeUndefined();
  });
});
