import * as z from 'zod/mini';
import {
  AVAILABILITY_KIND,
  AVAILABILITY_PART,
  ROSTER_CHANGES_CHANGE,
} from '#shared/database.values.ts';

// Result of the function roster_input. Times are whole minutes since 1970 in UTC, days are 'YYYY-MM-DD' in the
// company's zone.

const id = z.string();
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));
const minute = z.int();
const weight = z.number().check(z.gte(0), z.lte(100));
const hours = z.number().check(z.gte(0));
const part = z.nullable(z.enum(AVAILABILITY_PART));

const rules = z.object({
  min_rest_hours: hours,
  min_rest_override_hours: hours,
  weekly_rest_hours: hours,
  week_hours: hours,
  week_overtime_hours: hours,
  shift_hours: hours,
  consecutive_days: z.int(),
  consecutive_nights: z.int(),
  /** A duty under way at this local time is a night. */
  night_at: z.string().check(z.regex(/^\d{2}:\d{2}/)),
  weight_known_post: weight,
  weight_fair_nights: weight,
  weight_fair_sundays: weight,
  weight_fair_hours: weight,
  weight_distance: weight,
  weight_overtime: weight,
  weight_preference: weight,
  weight_change: weight,
});

const person = z.object({
  id,
  name: z.string(),
  gender: z.nullable(z.string()),
  /** Latitude and longitude. */
  home: z.nullable(z.tuple([z.number(), z.number()])),
  /** A county of Liberia, or another country. */
  home_region: z.nullable(z.string()),
  max_distance_km: z.nullable(z.int()),
  phone: z.nullable(z.string()),
  /** The minute when the newest certificate of each course expires, by course. */
  certificates: z.record(z.string(), minute),
  /** First and last day of each approved leave. */
  leave: z.array(z.tuple([day, day])),
  wishes: z.array(
    z.object({
      kind: z.enum(AVAILABILITY_KIND),
      /** 0 is Monday; null is every day. */
      weekday: z.nullable(z.int()),
      from: z.nullable(day),
      to: z.nullable(day),
      part,
    }),
  ),
  /** Sites. */
  banned: z.array(id),
  inducted: z.array(id),
  /** Shifts at each site in the 12 weeks before, by site. */
  known: z.record(z.string(), z.number()),
  /** Sums of the 28 days before. */
  past: z.object({ hours: z.number(), nights: z.number(), sundays: z.number() }),
  /** Duties that are not among `shifts`: at other sites, and 15 days before and after. */
  outside: z.array(z.tuple([minute, minute])),
});

const shift = z.object({
  id,
  site_id: id,
  post_id: z.nullable(id),
  start: minute,
  end: minute,
  headcount: z.int(),
  notes: z.nullable(z.string()),
  is_manual: z.boolean(),
});

const pair = z.object({ shift_id: id, user_id: id });

export const rosterInputSchema = z.object({
  from: day,
  /** The last day. */
  to: day,
  zone: z.string(),
  rules,
  holidays: z.array(z.object({ day, name: z.string() })),
  sites: z.array(
    z.object({
      id,
      name: z.string(),
      client: z.string(),
      zone: z.string(),
      latitude: z.nullable(z.number()),
      longitude: z.nullable(z.number()),
      county: z.nullable(z.string()),
      max_distance_km: z.nullable(z.int()),
      supervisors: z.array(id),
    }),
  ),
  courses: z.array(z.object({ id, title: z.string() })),
  posts: z.array(
    z.object({
      id,
      site_id: id,
      name: z.string(),
      gender: z.nullable(z.string()),
      lone_worker: z.boolean(),
      needs_induction: z.boolean(),
      courses: z.array(id),
    }),
  ),
  shifts: z.array(shift),
  people: z.array(person),
  /** Published, not cancelled. */
  assignments: z.array(
    z.object({
      ...pair.shape,
      /** Why the guard holds no seat, which is open then. */
      absence: z.nullable(z.enum(['leave', 'no_show'])),
      clocked: z.boolean(),
      override: z.boolean(),
      /** The guard has said that they come. */
      confirmed: z.optional(z.boolean()),
    }),
  ),
  changes: z.array(
    z.object({
      ...pair.shape,
      change: z.enum(ROSTER_CHANGES_CHANGE),
      /** Why the guard is put there against a rule. */
      override_reason: z.optional(z.nullable(z.string())),
    }),
  ),
  pins: z.array(pair),
  /** Guards who ask for a shift. */
  bids: z.optional(z.array(pair)),
  periods: z.array(
    z.object({ starts_on: day, state: z.string(), published_at: z.nullable(z.string()) }),
  ),
});

/** Result of roster_board: the input, and how much more there is. */
export const rosterBoardSchema = z.extend(rosterInputSchema, {
  /** Names at all sites that the caller plans. */
  clients: z.array(z.string()),
  supervisors: z.array(z.string()),
  sites_planned: z.int(),
  /** Sites that match the filters, on all pages. */
  sites_found: z.int(),
});

/** Result of roster_first_sites; of people it has only the identity. */
export const rosterFirstSitesSchema = z.extend(rosterInputSchema, {
  people: z.array(z.pick(person, { id: true, name: true })),
});

export type RosterBoardInput = z.infer<typeof rosterBoardSchema>;
export type RosterInput = z.infer<typeof rosterInputSchema>;
export type RosterRules = RosterInput['rules'];
export type RosterShift = RosterInput['shifts'][number];
export type RosterPerson = RosterInput['people'][number];
/** A guard on a shift. */
export type RosterPair = z.infer<typeof pair>;
