// The sites that the search leaves, as a CSV file.
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import type { Site, SiteSearch } from '../schema.ts';
import { sitesQuery } from './list-sites.ts';

const COLUMNS: CsvColumn<Site>[] = [
  { heading: 'Site Name', value: (row) => row.name },
  { heading: 'Client', value: (row) => row.client_name },
  { heading: 'Address', value: (row) => row.address },
  { heading: 'Timezone', value: (row) => row.timezone },
  { heading: 'Latitude', value: (row) => row.latitude },
  { heading: 'Longitude', value: (row) => row.longitude },
  { heading: 'Geofence Radius (m)', value: (row) => row.geofence_radius_m },
];

export async function exportSites(
  filters: Pick<SiteSearch, 'q' | 'sort' | 'position'>,
): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await sitesQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('sites', COLUMNS, rows);
}
