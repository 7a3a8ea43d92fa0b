// The clock that a shift's times are of.
type Site = { id: string; timezone: string };

/** @returns the zone of the site, an IANA name @throws while the sites are not known */
export function zoneOf(sites: Site[] | undefined, siteId: string): string {
  const site = sites?.find(({ id }) => id === siteId);
  if (!site) throw new Error('The sites could not be loaded. Please try again.');
  return site.timezone;
}
