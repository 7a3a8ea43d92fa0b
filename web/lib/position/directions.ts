type Place = { address: string; latitude: number | null; longitude: number | null };

/** @returns a link that opens the phone's map with the way there; the form is documented at developers.google.com/maps/documentation/urls */
export function directionsTo({ address, latitude, longitude }: Place): string {
  const destination =
    latitude === null || longitude === null ? address : `${latitude},${longitude}`;
  const link = new URL('https://www.google.com/maps/dir/');
  link.search = new URLSearchParams({ api: '1', destination }).toString();
  return link.href;
}
