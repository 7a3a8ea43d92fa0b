// Small companies with a roster.
import type { RosterInput, RosterPerson, RosterRules, RosterShift } from '#shared/roster/input.ts';

export const DEFAULT_RULES: RosterRules = {
  min_rest_hours: 12,
  min_rest_override_hours: 8,
  weekly_rest_hours: 36,
  week_hours: 48,
  week_overtime_hours: 5,
  shift_hours: 12,
  consecutive_days: 6,
  consecutive_nights: 4,
  night_at: '02:00:00',
  weight_known_post: 20,
  weight_fair_nights: 10,
  weight_fair_sundays: 10,
  weight_fair_hours: 10,
  weight_distance: 10,
  weight_overtime: 30,
  weight_preference: 10,
  weight_change: 20,
};

export const minuteOf = (time: string): number => Date.parse(time) / 60_000;

export function guard(id: string, more: Partial<RosterPerson> = {}): RosterPerson {
  return {
    id,
    name: id,
    gender: null,
    home: null,
    home_region: null,
    max_distance_km: null,
    phone: null,
    certificates: {},
    leave: [],
    wishes: [],
    banned: [],
    inducted: [],
    known: {},
    past: { hours: 0, nights: 0, sundays: 0 },
    outside: [],
    ...more,
  };
}

export function shiftAt(
  id: string,
  start: string,
  hours: number,
  more: Partial<RosterShift> = {},
): RosterShift {
  const minute = minuteOf(start);
  return {
    id,
    site_id: 'site',
    post_id: null,
    start: minute,
    end: minute + hours * 60,
    headcount: 1,
    notes: null,
    is_manual: false,
    ...more,
  };
}

/** A gate that anybody may guard. */
export function post(
  more: Partial<RosterInput['posts'][number]> = {},
): RosterInput['posts'][number] {
  return {
    id: 'gate',
    site_id: 'site',
    name: 'Gate',
    gender: null,
    lone_worker: false,
    needs_induction: false,
    courses: [],
    ...more,
  };
}

export const assigned = (
  shiftId: string,
  personId: string,
): RosterInput['assignments'][number] => ({
  shift_id: shiftId,
  user_id: personId,
  absence: null,
  clocked: false,
  override: false,
});

/** A company in Monrovia with one site, planned for the week from Monday 23 November 2026. */
export function company(more: Partial<RosterInput>): RosterInput {
  return {
    from: '2026-11-23',
    to: '2026-11-29',
    zone: 'Africa/Monrovia',
    rules: DEFAULT_RULES,
    holidays: [],
    sites: [
      {
        id: 'site',
        name: 'Embassy',
        client: 'Client',
        zone: 'Africa/Monrovia',
        latitude: 6.3,
        longitude: -10.8,
        county: null,
        max_distance_km: null,
        supervisors: [],
      },
    ],
    courses: [],
    posts: [],
    shifts: [],
    people: [],
    assignments: [],
    changes: [],
    pins: [],
    periods: [],
    ...more,
  };
}
