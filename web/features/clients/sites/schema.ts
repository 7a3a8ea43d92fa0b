import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import {
  CLOCK_EVENTS_WAY,
  SITES_BOOK_KINDS_WITHHELD,
  SITES_COUNTY,
  SITES_TIMEZONE,
} from '#shared/database.values.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { degreesEntry, degreesField, parseDegrees } from './degrees.ts';

export type Site = Database['public']['Tables']['sites']['Row'];

const minutesField = (name: string, minimum: number, maximum: number) =>
  wholeNumberField({ name, required: `${name} is required`, minimum, maximum });

const numberOrNone = (name: string, minimum: number, maximum: number) =>
  z.union([
    z.string().trim().length(0),
    wholeNumberField({ name, required: '', minimum, maximum }),
  ]);

/** Hours of a day. */
export const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour));

export const siteSchema = z
  .object({
    name: textField('Site name', limits.SITES_NAME_MAX).min(1, 'Site name is required'),
    client_name: textField('Client name', limits.SITES_CLIENT_NAME_MAX).min(
      1,
      'Client name is required',
    ),
    /** The client chosen from the suggestions; null when the name was only typed. */
    client_id: z.uuid().nullable(),
    address: textField('Address', limits.SITES_ADDRESS_MAX).min(1, 'Address is required'),
    timezone: z.enum(SITES_TIMEZONE),
    /** Degrees, WGS 84. */
    latitude: degreesField('Latitude', 90),
    longitude: degreesField('Longitude', 180),
    /** Metres; clock events farther away are flagged. */
    geofence_radius_m: wholeNumberField({
      name: 'Geofence radius',
      required: 'Geofence radius is required',
      minimum: limits.SITES_GEOFENCE_RADIUS_M_MIN,
      maximum: limits.SITES_GEOFENCE_RADIUS_M_MAX,
    }),
    /** Empty: not known. */
    county: z.enum(['', ...SITES_COUNTY]),
    /** Empty: by region. */
    max_distance_km: numberOrNone(
      'Distance',
      limits.SITES_MAX_DISTANCE_KM_MIN,
      limits.SITES_MAX_DISTANCE_KM_MAX,
    ),
    alert_after_minutes: minutesField(
      'Time until the alert',
      limits.SITES_ALERT_AFTER_MINUTES_MIN,
      limits.SITES_ALERT_AFTER_MINUTES_MAX,
    ),
    escalate_after_minutes: minutesField(
      'Time to acknowledge',
      limits.SITES_ESCALATE_AFTER_MINUTES_MIN,
      limits.SITES_ESCALATE_AFTER_MINUTES_MAX,
    ),
    /** Empty: no checks, except where the guard is alone. */
    welfare_every_minutes: numberOrNone(
      'Time between checks',
      limits.SITES_WELFARE_EVERY_MINUTES_MIN,
      limits.SITES_WELFARE_EVERY_MINUTES_MAX,
    ),
    /** Empty: never an alert. */
    no_signal_after_minutes: numberOrNone(
      'Time of silence',
      limits.SITES_NO_SIGNAL_AFTER_MINUTES_MIN,
      limits.SITES_NO_SIGNAL_AFTER_MINUTES_MAX,
    ),
    clock_ways: z.array(z.enum(CLOCK_EVENTS_WAY)).min(1, 'Choose at least one way'),
    book_kinds_withheld: z.array(z.enum(SITES_BOOK_KINDS_WITHHELD)),
    /** Empty: by hand alone. */
    book_release_hour: z.enum(['', ...HOURS]),
    /** Empty: as long as the company keeps them. */
    visits_days: numberOrNone('Days', limits.SITES_VISITS_DAYS_MIN, limits.SITES_VISITS_DAYS_MAX),
  })
  .refine(({ latitude, longitude }) => (latitude === '') === (longitude === ''), {
    error: 'Enter both coordinates, or neither',
    path: ['longitude'],
  });

export type SiteForm = z.infer<typeof siteSchema>;

/** @returns the form filled with a stored record; empty without one */
export function toForm(row?: Site): SiteForm {
  return {
    name: row?.name ?? '',
    client_name: row?.client_name ?? '',
    client_id: row?.client_id ?? null,
    address: row?.address ?? '',
    timezone: row?.timezone ?? 'Africa/Monrovia',
    latitude: degreesEntry(row?.latitude),
    longitude: degreesEntry(row?.longitude),
    geofence_radius_m: row?.geofence_radius_m.toString() ?? '200',
    county: SITES_COUNTY.find((name) => name === row?.county) ?? '',
    max_distance_km: row?.max_distance_km?.toString() ?? '',
    alert_after_minutes: row?.alert_after_minutes.toString() ?? '10',
    escalate_after_minutes: row?.escalate_after_minutes.toString() ?? '5',
    welfare_every_minutes: row?.welfare_every_minutes?.toString() ?? '',
    // A new site has the default of the database.
    no_signal_after_minutes: row ? (row.no_signal_after_minutes?.toString() ?? '') : '15',
    clock_ways: CLOCK_EVENTS_WAY.filter((way) => row?.clock_ways.includes(way) ?? true),
    // A new site has the default of the database.
    book_kinds_withheld: SITES_BOOK_KINDS_WITHHELD.filter(
      (kind) => row?.book_kinds_withheld.includes(kind) ?? kind === 'handover',
    ),
    book_release_hour: row?.book_release_hour?.toString() ?? '',
    visits_days: row?.visits_days?.toString() ?? '',
  };
}

const numberOf = (entry: string) => (entry === '' ? null : parseWholeNumber(entry));

export function toRow(form: SiteForm) {
  return {
    ...form,
    latitude: parseDegrees(form.latitude),
    longitude: parseDegrees(form.longitude),
    geofence_radius_m: parseWholeNumber(form.geofence_radius_m),
    county: form.county || null,
    max_distance_km: numberOf(form.max_distance_km),
    alert_after_minutes: parseWholeNumber(form.alert_after_minutes),
    escalate_after_minutes: parseWholeNumber(form.escalate_after_minutes),
    welfare_every_minutes: numberOf(form.welfare_every_minutes),
    no_signal_after_minutes: numberOf(form.no_signal_after_minutes),
    book_release_hour: numberOf(form.book_release_hour),
    visits_days: numberOf(form.visits_days),
  };
}
