// The company's regions (company.config.ts) and the counties in them, as one filter.
import { slots } from '#company';

const countiesOf = (region: string): readonly string[] =>
  slots.regions.find(({ name }) => name === region)?.counties ?? [region];

/** @param region name of a region or of a county */
export const isInRegion = (county: string | null, region: string): boolean =>
  county !== null && countiesOf(region).includes(county);

/** The regions with some of these counties, then the counties by name. */
export function regionsOf(counties: readonly (string | null)[]): string[] {
  const known = [...new Set(counties)].filter((county) => county !== null).sort();
  const regions = slots.regions.map(({ name }) => name);
  return [...regions.filter((name) => known.some((county) => isInRegion(county, name))), ...known];
}
