import { z } from 'zod';

/** Six decimals are about eleven centimetres. */
const DECIMALS = 6;
const ENTRY = /^-?\d{1,3}(?:\.\d*)?$|^-?\.\d+$/;

/**
 * A form field for a coordinate in decimal degrees; it may be empty.
 * @param most degrees in either direction
 */
export function degreesField(name: string, most: number) {
  return z
    .string()
    .trim()
    .refine((entry) => entry === '' || (ENTRY.test(entry) && Math.abs(Number(entry)) <= most), {
      error: `${name} must be between -${most} and ${most}, such as ${most === 90 ? '6.3005' : '-10.7969'}`,
    });
}

/** @param entry a valid value of {@link degreesField} @returns null when it is empty */
export const parseDegrees = (entry: string) => (entry.trim() === '' ? null : Number(entry));

/** @returns undefined unless both entries are valid and on the map */
export function parsePosition(latitude: string, longitude: string) {
  const [first, second] = [latitude, longitude].map((entry) => entry.trim());
  if (!first || !second || !ENTRY.test(first) || !ENTRY.test(second)) return undefined;
  const position = { latitude: Number(first), longitude: Number(second) };
  // The Mercator projection ends just short of the poles.
  const isOnMap = Math.abs(position.latitude) <= 85 && Math.abs(position.longitude) <= 180;
  return isOnMap ? position : undefined;
}

/** @returns the form value of a stored or picked coordinate */
export function degreesEntry(degrees: number | null | undefined): string {
  return degrees == null ? '' : String(Number(degrees.toFixed(DECIMALS)));
}

/** @returns the two coordinates of a pasted text such as "6.3005, -10.7969"; undefined for other text */
export function pastedPair(text: string): [latitude: string, longitude: string] | undefined {
  const parts = text.trim().split(/\s*[,;]\s*|\s+/);
  const [latitude, longitude] = parts;
  if (parts.length !== 2 || !latitude || !longitude) return undefined;
  return ENTRY.test(latitude) && ENTRY.test(longitude) ? [latitude, longitude] : undefined;
}
