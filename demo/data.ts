// The texts, names and places of the demo company. The compiler checks their shape, the database's constraints their values.
import attendance from './data/attendance.json' with { type: 'json' };
import accounts from './data/bank-accounts.json' with { type: 'json' };
import clients from './data/clients.json' with { type: 'json' };
import courses from './data/courses.json' with { type: 'json' };
import deployments from './data/deployments.json' with { type: 'json' };
import enquiries from './data/enquiries.json' with { type: 'json' };
import expenses from './data/expenses.json' with { type: 'json' };
import incidents from './data/incidents.json' with { type: 'json' };
import leave from './data/leave.json' with { type: 'json' };
import names from './data/names.json' with { type: 'json' };
import orders from './data/orders.json' with { type: 'json' };
import payroll from './data/payroll.json' with { type: 'json' };
import places from './data/places.json' with { type: 'json' };
import planning from './data/planning.json' with { type: 'json' };
import shifts from './data/shifts.json' with { type: 'json' };

export const { noLocationReasons: NO_LOCATION_REASONS, correctionReasons: CORRECTION_REASONS } =
  attendance;
export const { bankAccounts: BANK_ACCOUNTS, loans: LOANS } = accounts;
/** `busiestSite` is where supervisor@, guard@ and guard2@ work. `guards`: of each slot of a post. */
export const { busiestSite: BUSIEST_SITE, clients: CLIENTS } = clients;
/** Guards are alone at their posts there, and are asked whether all is well: seldom, because nobody answers in a demo. */
export const LONE_SITES: readonly string[] = [
  'Nimba Ridge Rail Siding',
  'Farmington Latex Store',
  'Hope Bridge Store, Zwedru',
];
export const WELFARE_MINUTES = 180;
/** `further` than those in supabase/seed.sql. `held`: validity in months and the share of guards who hold it. */
export const { further: FURTHER_COURSES, held: HELD_COURSES } = courses;
export const DEPLOYMENTS = deployments;
export const ENQUIRIES = enquiries;
/** `from`, `to` and `step` in USD; `weight` is relative frequency, `monthly` the share of monthly reports. */
export const EXPENSES = expenses;
/** `weight` is relative frequency. */
export const { categories: INCIDENTS, followUps: FOLLOW_UPS } = incidents;
export type Report = (typeof INCIDENTS)[number]['reports'][number];
/** By type: relative frequency, and the longest period in days. */
export const { often: LEAVE_TYPES, longest: LONGEST_LEAVE } = leave;
export const { reasons: LEAVE_REASONS, decisionNotes: DECISION_NOTES } = leave;
export type LeaveType = keyof typeof LEAVE_REASONS;
/** Invented people have common first names and surnames of Liberia. */
export const { men: MEN, women: WOMEN, surnames: SURNAMES } = names;
/** Plain text with headings and points; `added` is in the second version. */
export const ORDERS = orders;
export const { notes: PAYROLL_NOTES } = payroll;
export const { banReasons: BAN_REASONS, availabilityNotes: AVAILABILITY_NOTES } = planning;
export const { notes: SHIFT_NOTES } = shifts;
export const { streets: STREETS } = places;

/** Degrees, far enough inland that a site nearby is not in the sea. `address` is the end of an address there. */
export type Place = (typeof places.places)[keyof typeof places.places];
const PLACES: Readonly<Record<string, Place>> = places.places;
/** Guards are relieved only by guards of the same region. */
export const REGIONS = [...new Set(Object.values(PLACES).map(({ region }) => region))];

/** @throws Error for a name that is not in places.json */
export function placeOf(name: string): Place {
  const place = PLACES[name];
  if (place === undefined) throw new Error(`Unknown place ${name}`);
  return place;
}
