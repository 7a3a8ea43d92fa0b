// Fills a new database with the demo company, dated from the day it is loaded.
import type { ClientBase } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { makeAttendance } from './attendance.ts';
import { insertAccounts } from './bank-and-loan-accounts.ts';
import { withoutIndexes, withoutTriggers } from './bulk.ts';
import { Calendar } from './calendar.ts';
import { insertCertifications } from './certifications.ts';
import { insertBusiness, makeBusiness } from './clients-and-sites.ts';
import { insertDeployments } from './deployments.ts';
import { insertEnquiries } from './enquiries.ts';
import { insertEvidence, makePieces, writeFiles } from './evidence/evidence.ts';
import { insertHistory } from './history.ts';
import { insertTimeline } from './incident-timeline.ts';
import { insertIncidents, makeIncidents } from './incidents.ts';
import { insertLeave, makeLeave } from './leave.ts';
import { Oversight } from './oversight.ts';
import { insertPeople, insertRoles, makePeople } from './people.ts';
import { Positions } from './positions.ts';
import { type Assignment, makeAssignments } from './roster.ts';
import { insertShifts, makeShifts } from './shifts.ts';
import { insertStaffAndPayroll } from './staff-and-payroll.ts';
import { insertStatementsAndExpenses } from './statements-and-expenses.ts';
import { insertAssignments, insertAttendance } from './write-roster.ts';

const LARGE = ['public.shifts', 'public.assignments', 'public.attendance'];
const TABLES = [
  ...LARGE,
  ...[
    'profiles',
    'user_roles',
    'clients',
    'sites',
    'leave_requests',
    'incidents',
    'incident_updates',
    'incident_notes',
    'evidence',
    'training_courses',
    'certifications',
    'staff',
    'payroll',
    'financial_statements',
    'expense_reports',
    'bank_accounts',
    'loans',
    'deployments',
    'contact_messages',
  ].map((name) => `public.${name}`),
];

/**
 * Creates the same company on every machine for the same `now`.
 * @param client inside a transaction, as the owner of the database
 * @param now the time of loading, to which all dates are relative
 * @param blobs stores the evidence files; without it there are none
 */
export async function fillDemo(
  client: ClientBase,
  now = new Date(),
  blobs?: Context['blobs'],
): Promise<void> {
  await withoutTriggers(client, TABLES, () => insertCompany(client, new Calendar(now), blobs));
  // So that the first requests get good plans.
  await client.query(`analyze ${[...TABLES, 'public.audit_log'].join(', ')}`);
}

async function insertCompany(
  client: ClientBase,
  calendar: Calendar,
  blobs: Context['blobs'] | undefined,
): Promise<void> {
  const people = makePeople();
  const business = makeBusiness();
  const oversight = new Oversight(people, business);
  await insertPeople(client, people, calendar);
  await insertBusiness(client, business, people, calendar);
  await insertRoles(client, people, (person) => oversight.sitesOf(person), calendar);

  const leave = makeLeave(people);
  const shifts = makeShifts(business.sites, calendar);
  const positions = new Positions(business.sites);
  let assignments: Assignment[] = [];
  await withoutIndexes(client, LARGE, async () => {
    // Runs while the roster is computed.
    const written = insertShifts(client, shifts);
    assignments = makeAssignments(shifts, business, people, leave, calendar);
    const attendance = makeAttendance(assignments, positions, oversight, calendar);
    await written;
    await insertAssignments(client, assignments);
    await insertAttendance(client, attendance, positions);
  });

  await insertLeave(client, leave, people, calendar);
  const incidents = makeIncidents(assignments, business, calendar);
  const evidence = makePieces(incidents);
  await insertIncidents(client, incidents);
  await insertTimeline(client, incidents, oversight);
  await insertEvidence(client, evidence);
  if (blobs !== undefined) await writeFiles(client, blobs, evidence);
  await insertCertifications(client, people, calendar);
  await insertStaffAndPayroll(client, people, calendar);
  await insertStatementsAndExpenses(client, people, calendar);
  await insertAccounts(client, people, calendar);
  await insertDeployments(client, people, business, calendar);
  await insertEnquiries(client, calendar);
  await insertHistory(client, people.named('ops').id, people.named('admin').id);
}
