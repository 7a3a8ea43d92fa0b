// The company's regions (company.config.ts) and the counties in them, as one choice.
import { slots } from '#company';
import { PROFILES_HOME_REGION } from '#shared/database.values.ts';

/** @param region name of a region or of a county */
export const listCounties = (region: string): readonly string[] =>
  slots.regions.find(({ name }) => name === region)?.counties ?? [region];

/** The regions, then every county. */
export const REGIONS: readonly string[] = [
  ...slots.regions.map(({ name }) => name),
  ...PROFILES_HOME_REGION,
];
