type Place = { address: string; latitude: number | null; longitude: number | null };

/** @returns a link that opens the phone's map with the way there; the form is documented at developers.google.com/maps/documentation/urls */
export function directionsTo({ address, latitude, longitude }: Place): string {
  const destination =
    latitude === null || longitude === null ? address : `${latitude},${longitude}`;
  const link = new URL('https://www.google.com/maps/dir/');
  link.search = new URLSearchParams({ api: '1', destination }).toString();
  return link.href;
}

/** @param gps 'lat,lng' in degrees @returns undefined where it is no position */
export function readGps(gps: string): { latitude: number; longitude: number } | undefined {
  const [latitude = Number.NaN, longitude = Number.NaN] = gps.split(',').map(Number);
  return Number.isNaN(latitude) || Number.isNaN(longitude) ? undefined : { latitude, longitude };
}

/** The same to coordinates as the database stores them, such as "6.3005,-10.7969". */
export function directionsToGps(address: string, gps: string | null): string {
  const { latitude = null, longitude = null } = (gps && readGps(gps)) || {};
  return directionsTo({ address, latitude, longitude });
}
