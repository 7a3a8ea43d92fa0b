import { describe, expect, test } from 'vitest';
import { writtenFile } from '#tests/support/written-file.ts';
import { readTable } from '#web/lib/files/read-table.ts';
import {
  EXPORT_COLUMNS,
  type ExportedSite,
  findSiteProblems,
  IMPORT_COLUMNS,
  linkClients,
  readSite,
} from './import.ts';

const row = (cells: Record<string, string>) =>
  readSite({
    'Site Name': 'North Gate',
    'Client Name': 'Harbour Trading',
    Address: 'Bushrod Island',
    ...cells,
  });

test('a name, a client and an address are enough', () => {
  expect(row({})).toEqual({
    record: {
      name: 'North Gate',
      client_name: 'Harbour Trading',
      address: 'Bushrod Island',
      timezone: 'Africa/Monrovia',
      latitude: null,
      longitude: null,
      geofence_radius_m: 200,
      county: null,
    },
  });
});

test.each([
  [{ 'Site Name': '' }, 'Site name is required'],
  [{ 'Client Name': '' }, 'Client name is required'],
  [{ Latitude: '6.3' }, 'Enter both coordinates, or neither'],
  [{ Latitude: '6,3', Longitude: '-10.8' }, 'Latitude must be between -90 and 90, such as 6.3005'],
  [{ 'Geofence Radius (m)': '5' }, 'Geofence radius must be a whole number from 10 to 50000'],
  [{ Timezone: 'Europe/Berlin' }, 'Timezone can\'t be "Europe/Berlin"'],
  [{ County: 'Kakata' }, 'County can\'t be "Kakata"'],
])('a wrong row says what to correct: %o', (cells, problem) => {
  expect(row(cells)).toEqual({ problem });
});

const site: ExportedSite = {
  name: 'North Gate',
  client_name: 'Harbour Trading',
  address: 'Bushrod Island, beside the "Freeport"',
  timezone: 'Africa/Accra',
  latitude: 6.300512,
  longitude: -10.7969,
  geofence_radius_m: 1500,
  county: 'River Gee',
};

test.each(['csv', 'xlsx'] as const)(
  'an export of the list as %s is imported again unchanged',
  async (format) => {
    const sites = [site, { ...site, latitude: null, longitude: null, county: null }];
    const file = await writtenFile(format, EXPORT_COLUMNS, sites);
    const { rows, ignored } = await readTable(file, IMPORT_COLUMNS, readSite);
    expect(ignored).toEqual([]);
    expect(rows.map(({ record, problem }) => problem ?? record)).toEqual(sites);
  },
);

describe('before they are stored, sites', () => {
  const gate = { name: 'North Gate', client_name: 'Harbour Trading' };

  test('that exist, or are there twice, are named', () => {
    const sites = [{ name: 'north gate', client_name: 'HARBOUR TRADING' }];
    const depot = { ...gate, name: 'Depot' };
    expect(findSiteProblems([gate, depot, depot], { sites, clients: [] })).toEqual([
      'Harbour Trading has a site North Gate already',
      null,
      'Harbour Trading has the site Depot twice in this file',
    ]);
    expect(findSiteProblems([{ ...gate, client_name: 'Ducor' }], { sites, clients: [] })).toEqual([
      null,
    ]);
  });

  test('of a client whose name is there twice are refused', () => {
    const clients = [{ name: 'Harbour Trading' }, { name: 'harbour trading' }];
    expect(findSiteProblems([gate], { sites: [], clients })).toEqual([
      'There are several clients Harbour Trading. Add this site with the form',
    ]);
  });

  test('get the client of that name; other names stay text', () => {
    const clients = [{ id: '2', name: 'harbour trading' }];
    expect(linkClients([gate, { ...gate, client_name: 'Ducor' }], clients)).toEqual([
      { ...gate, client_id: '2' },
      { ...gate, client_name: 'Ducor', client_id: null },
    ]);
  });
});
