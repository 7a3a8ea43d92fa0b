import { type Calendar, calendarOf, dayName } from './calendar.ts';
import { distanceProblem } from './distance-rule.ts';
import type { RosterInput, RosterPerson, RosterShift } from './input.ts';

type Site = RosterInput['sites'][number];
type Post = RosterInput['posts'][number];

/** Lookups for rules, made once for an input. */
export interface RosterIndex {
  calendar: Calendar;
  shifts: ReadonlyMap<string, RosterShift>;
  people: ReadonlyMap<string, RosterPerson>;
  sites: ReadonlyMap<string, Site>;
  posts: ReadonlyMap<string, Post>;
  courses: ReadonlyMap<string, string>;
  /** Why the person lives too far from the site. */
  tooFar: (person: RosterPerson, siteId: string) => string | null;
  /** First and last day that a shift touches, by shift. */
  days: ReadonlyMap<string, readonly [string, string]>;
}

const indexes = new WeakMap<RosterInput, RosterIndex>();

const byId = <T extends { id: string }>(rows: readonly T[]) =>
  new Map(rows.map((row) => [row.id, row]));

/** Each pair is measured once: a whole week asks for each person at each shift. */
function distanceProblems(sites: ReadonlyMap<string, Site>) {
  const measured = new Map<RosterPerson, Map<string, string | null>>();
  return (person: RosterPerson, siteId: string): string | null => {
    const site = sites.get(siteId);
    if (site === undefined) return null;
    const bySite = measured.get(person) ?? new Map<string, string | null>();
    measured.set(person, bySite);
    let problem = bySite.get(siteId);
    if (problem === undefined) {
      problem = distanceProblem(person, site);
      bySite.set(siteId, problem);
    }
    return problem;
  };
}

export function rosterIndex(input: RosterInput): RosterIndex {
  const known = indexes.get(input);
  if (known) return known;
  const calendar = calendarOf(input.zone);
  const names = new Map<number, string>();
  const nameAt = (minute: number) => {
    const day = calendar.dayOf(minute);
    const name = names.get(day) ?? dayName(day);
    names.set(day, name);
    return name;
  };
  const sites = byId(input.sites);
  const index: RosterIndex = {
    calendar,
    shifts: byId(input.shifts),
    people: byId(input.people),
    sites,
    posts: byId(input.posts),
    tooFar: distanceProblems(sites),
    courses: new Map(input.courses.map(({ id, title }) => [id, title])),
    days: new Map(input.shifts.map(({ id, start, end }) => [id, [nameAt(start), nameAt(end - 1)]])),
  };
  indexes.set(input, index);
  return index;
}

/** Who works what: the published assignments with the changes of the draft. */
export interface Effective {
  readonly peopleOn: (shiftId: string) => ReadonlySet<string>;
  /** Published guards who hold no seat; the shift counts for their hours and rest all the same, as in the database. */
  readonly absentOn: (shiftId: string) => ReadonlySet<string>;
  readonly shiftsOf: (personId: string) => ReadonlySet<string>;
  readonly assign: (shiftId: string, personId: string) => void;
  readonly unassign: (shiftId: string, personId: string) => void;
}

const NOBODY: ReadonlySet<string> = new Set();

export function effectiveRoster(input: RosterInput): Effective {
  const people = new Map<string, Set<string>>();
  const absent = new Map<string, Set<string>>();
  const shifts = new Map<string, Set<string>>();
  const add = (sets: Map<string, Set<string>>, key: string, value: string) => {
    const set = sets.get(key);
    if (set) set.add(value);
    else sets.set(key, new Set([value]));
  };
  const effective: Effective = {
    peopleOn: (shiftId) => people.get(shiftId) ?? NOBODY,
    absentOn: (shiftId) => absent.get(shiftId) ?? NOBODY,
    shiftsOf: (personId) => shifts.get(personId) ?? NOBODY,
    assign(shiftId, personId) {
      add(people, shiftId, personId);
      add(shifts, personId, shiftId);
    },
    unassign(shiftId, personId) {
      people.get(shiftId)?.delete(personId);
      absent.get(shiftId)?.delete(personId);
      shifts.get(personId)?.delete(shiftId);
    },
  };
  for (const { shift_id, user_id, absence } of input.assignments) {
    add(absence === null ? people : absent, shift_id, user_id);
    add(shifts, user_id, shift_id);
  }
  for (const { shift_id, user_id, change } of input.changes) effective[change](shift_id, user_id);
  return effective;
}
