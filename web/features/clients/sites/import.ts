import { SITES_COUNTY, SITES_TIMEZONE } from '#shared/database.values.ts';
import type { ImportColumn, ImportedRecord, RowReader } from '#web/lib/files/read-table.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { parseWholeNumber } from '#web/lib/form-fields/whole-number-field.ts';
import { parseDegrees } from './degrees.ts';
import { type Site, siteSchema, toForm } from './schema.ts';

export type ExportedSite = Pick<
  Site,
  | 'name'
  | 'client_name'
  | 'address'
  | 'timezone'
  | 'latitude'
  | 'longitude'
  | 'geofence_radius_m'
  | 'county'
>;

/** Exported by the list, and read again by an import. */
export const EXPORT_COLUMNS: TableColumn<ExportedSite>[] = [
  { heading: 'Site Name', value: (row) => row.name },
  { heading: 'Client', value: (row) => row.client_name },
  { heading: 'Address', value: (row) => row.address },
  { heading: 'Timezone', value: (row) => row.timezone },
  { heading: 'Latitude', value: (row) => row.latitude },
  { heading: 'Longitude', value: (row) => row.longitude },
  { heading: 'Geofence Radius (m)', value: (row) => row.geofence_radius_m },
  { heading: 'County', value: (row) => row.county },
];

/** As on the form, or as the export has them. */
export const IMPORT_COLUMNS: readonly ImportColumn[] = [
  { heading: 'Site Name', isRequired: true },
  {
    heading: 'Client Name',
    also: ['Client'],
    isRequired: true,
    note: 'As on the list of clients, which links the site to it',
  },
  { heading: 'Address', isRequired: true },
  { heading: 'Timezone', choices: SITES_TIMEZONE, note: `Empty: ${toForm().timezone}` },
  { heading: 'Latitude', note: 'Decimal degrees, such as 6.3005; with the longitude, or neither' },
  { heading: 'Longitude', note: 'Decimal degrees, such as -10.7969' },
  {
    heading: 'Geofence Radius (m)',
    note: `A whole number. Empty: ${toForm().geofence_radius_m}`,
  },
  { heading: 'County', choices: SITES_COUNTY, note: 'May be empty' },
];

const findNamed = <Value extends string>(values: readonly Value[], cell: string) =>
  values.find((value) => value.toLowerCase() === cell.toLowerCase());

/** Validates a row like the form. What is empty gets the default of the form. */
export const readSite: RowReader = (cells) => {
  const defaults = toForm();
  const cell = (heading: string) => cells[heading] ?? '';
  const timezone = findNamed(SITES_TIMEZONE, cell('Timezone') || defaults.timezone);
  if (timezone === undefined) return { problem: `Timezone can't be "${cell('Timezone')}"` };
  const county = cell('County') && findNamed(SITES_COUNTY, cell('County'));
  if (county === undefined) return { problem: `County can't be "${cell('County')}"` };
  const result = siteSchema.safeParse({
    ...defaults,
    name: cell('Site Name'),
    client_name: cell('Client Name'),
    address: cell('Address'),
    timezone,
    latitude: cell('Latitude'),
    longitude: cell('Longitude'),
    geofence_radius_m: cell('Geofence Radius (m)') || defaults.geofence_radius_m,
    county,
  });
  if (!result.success) return { problem: result.error.issues[0]?.message ?? 'Invalid input' };
  const { name, client_name, address, latitude, longitude, geofence_radius_m } = result.data;
  return {
    record: {
      name,
      client_name,
      address,
      timezone,
      latitude: parseDegrees(latitude),
      longitude: parseDegrees(longitude),
      geofence_radius_m: parseWholeNumber(geofence_radius_m),
      county: county || null,
    },
  };
};

type Named = { name: string };
export type SiteName = Named & { client_name: string };

const fold = (text: unknown) => String(text).trim().toLowerCase();
const keyOf = (name: unknown, client: unknown) => JSON.stringify([fold(name), fold(client)]);

/**
 * For the preview: what is wrong with each record, or null. A file that is imported twice would double the sites, and a client
 * whose name is there twice can't be linked by it.
 */
export function findSiteProblems(
  records: readonly ImportedRecord[],
  { sites, clients }: { sites: readonly SiteName[]; clients: readonly Named[] },
): (string | null)[] {
  const known = new Set(sites.map(({ name, client_name }) => keyOf(name, client_name)));
  const inFile = new Set<string>();
  return records.map(({ name, client_name }) => {
    const key = keyOf(name, client_name);
    if (known.has(key)) return `${client_name} has a site ${name} already`;
    if (inFile.has(key)) return `${client_name} has the site ${name} twice in this file`;
    inFile.add(key);
    if (clients.filter((client) => fold(client.name) === fold(client_name)).length > 1) {
      return `There are several clients ${client_name}. Add this site with the form`;
    }
    return null;
  });
}

/** @returns the records with the client of that name; other names stay text, as on the form */
export function linkClients(
  records: readonly ImportedRecord[],
  clients: readonly (Named & { id: string })[],
): ImportedRecord[] {
  const ids = new Map(clients.map(({ id, name }) => [fold(name), id]));
  return records.map((record) => ({
    ...record,
    client_id: ids.get(fold(record.client_name)) ?? null,
  }));
}
