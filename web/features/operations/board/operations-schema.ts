import { z } from 'zod';
import { ALERTS_KIND, DUTY_NOTICES_KIND } from '#shared/database.values.ts';
import { SEAT_STATES } from './operations-search.ts';

const guardSchema = z.object({
  assignment_id: z.string(),
  user_id: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  role: z.string().nullable(),
  status: z.string(),
  on_leave: z.boolean(),
  /** The start of the shift, when a replacement joins, or when the guard was assigned to a running one. */
  expected: z.string(),
  /** When a replacement is there; null for who comes at the start. */
  joins: z.string().nullable(),
  clock_in: z.string().nullable(),
  clock_out: z.string().nullable(),
  /** How the last clock event was made. */
  way: z.string().nullable(),
  late_minutes: z.number(),
  early_minutes: z.number(),
  left_early: z.boolean(),
  /** Metres between the site and the last clock event; null if unknown. */
  distance_m: z.number().nullable(),
  flags: z.array(z.string()),
  /** When the guard's phone was last heard on this duty; null if it sends no signal. */
  heard: z.string().nullable(),
  /** Entries on that phone that were not sent by then. */
  waiting: z.number(),
  /** What the guard says before they come, while it counts; absent in the answer of an older server. */
  notice: z.object({ kind: z.enum(DUTY_NOTICES_KIND), said: z.string(), at: z.string() }).nullish(),
});

const shiftSchema = z.object({
  id: z.string(),
  site_id: z.string(),
  post_id: z.string().nullable(),
  post: z.string().nullable(),
  starts: z.string(),
  ends: z.string(),
  needed: z.number(),
  /** Seats without a guard who counts. */
  empty: z.number(),
  guards: z.array(guardSchema),
  /** Open ones. */
  alerts: z.array(
    z.object({ id: z.string(), kind: z.enum(ALERTS_KIND), assignment_id: z.string().nullable() }),
  ),
});

const siteSchema = z.object({
  id: z.string(),
  name: z.string(),
  client: z.string(),
  timezone: z.string(),
  county: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** After the start a guard who has not clocked in is missing and no longer late. */
  alert_after_minutes: z.number(),
  supervisors: z.array(z.string()),
});

const names = z.array(z.string());

const partSchema = z.object({
  /** Seats of all posts that match the filters other than the state. */
  counts: z.record(z.enum(SEAT_STATES), z.number()),
  /** Those that match all filters. */
  posts: z.number(),
  // Choices of the filters.
  clients: names,
  supervisors: names,
  counties: names,
});

/** Result of operations_board. */
export const boardSchema = z.object({
  /** The server's time. */
  at: z.string(),
  sites: z.array(siteSchema),
  shifts: z.array(shiftSchema),
  /** Set when the caller plans more sites than one board shows: these are the gravest posts. */
  part: partSchema.nullish(),
});

export type Guard = z.infer<typeof guardSchema>;
export type Shift = z.infer<typeof shiftSchema>;
export type Site = z.infer<typeof siteSchema>;
export type BoardPart = z.infer<typeof partSchema>;
export type BoardAnswer = z.infer<typeof boardSchema>;
