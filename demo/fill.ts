// Fills a new database with the demo company, dated from the day it is loaded.
import type { ClientBase } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { insertContracts } from './billing/contracts.ts';
import { insertInvoices } from './billing/invoices.ts';
import { Calendar } from './calendar.ts';
import { insertBusiness, type Loading, makeBusiness, Oversight } from './clients/business.ts';
import { insertEnquiries } from './clients/enquiries.ts';
import { makeAttendance, Positions } from './clocking/attendance.ts';
import { insertDevices } from './clocking/devices.ts';
import { insertHistory } from './history/history.ts';
import { insertEvidence, makePieces, writeFiles } from './incidents/evidence.ts';
import {
  insertIncidents,
  insertLetters,
  insertReviews,
  insertTimeline,
  lettersAbout,
  makeIncidents,
} from './incidents/incidents.ts';
import { withoutIndexes, withoutTriggers } from './insert-rows.ts';
import { insertLeave, makeLeave } from './leave/leave.ts';
import { insertAccounting } from './money/accounting.ts';
import { insertReplacements } from './offers/replacements.ts';
import { insertRequests } from './offers/requests.ts';
import { insertControlRoom } from './operations/control-room.ts';
import { insertPatrols } from './operations/patrols.ts';
import { insertPayRuns } from './pay/pay-runs.ts';
import { insertStaffAndPayroll } from './pay/payroll.ts';
import { insertPayAccounts } from './payments/pay-accounts.ts';
import { insertCertifications, makeCertificates } from './people/certifications.ts';
import { insertPeople, insertRoles, makePeople } from './people/people.ts';
import { insertPortraits } from './people/portraits.ts';
import { insertClientContacts } from './portal/client-contacts.ts';
import { insertHandovers } from './posts/handovers.ts';
import { insertOrders } from './posts/orders.ts';
import { insertPlanning, insertPosts } from './roster/planning.ts';
import { makeRoster, type Roster } from './roster/roster.ts';
import { insertAssignments, insertAttendance } from './roster/write-roster.ts';
import { insertSafety } from './safety/safety.ts';
import { insertDeployments } from './shifts/deployments.ts';
import { insertShifts, makeShifts } from './shifts/shifts.ts';
import { insertTimesheets } from './time/timesheets.ts';

const LARGE = ['public.shifts', 'public.assignments', 'public.attendance'];
const PLANNING = [
  'public.posts',
  'public.post_courses',
  'public.post_requirements',
  'public.site_bans',
  'public.site_inductions',
  'public.availability',
  'public.roster_changes',
  'public.roster_periods',
];
const TABLES = [
  ...LARGE,
  ...PLANNING,
  'public.profiles',
  'public.user_roles',
  'public.clients',
  'public.client_contacts',
  'public.client_requests',
  'public.sites',
  'public.leave_requests',
  'public.incidents',
  'public.incident_updates',
  'public.incident_reviews',
  'public.incident_escalations',
  'public.incident_letters',
  'public.letter_acknowledgements',
  'public.incident_notes',
  'public.report_notes',
  'public.evidence',
  'public.training_courses',
  'public.certifications',
  'public.staff',
  'public.payroll',
  'public.pay_accounts',
  'public.pay_bases',
  'public.pay_items',
  'public.staff_ledger',
  'public.pay_runs',
  'public.payslips',
  'public.payslip_lines',
  'public.pay_adjustments',
  'public.payments',
  'public.payment_files',
  'public.contracts',
  'public.contract_posts',
  'public.rates',
  'public.tax_rates',
  'public.invoices',
  'public.invoice_lines',
  'public.billed_time',
  'public.receipts',
  'public.receipt_allocations',
  'public.public_holidays',
  'public.company_holidays',
  'public.timesheets',
  'public.timesheet_days',
  'public.time_segments',
  'public.time_decisions',
  'public.timesheet_disputes',
  'public.financial_statements',
  'public.expense_reports',
  'public.bank_accounts',
  'public.loans',
  'public.deployments',
  'public.contact_messages',
  'public.devices',
  'public.clock_exceptions',
  'public.offers',
  'public.alerts',
  'public.room_notes',
  'public.replacement_calls',
  'public.notices',
  'public.welfare_checks',
  'public.sos_events',
  'public.inbound_messages',
  'public.post_orders',
  'public.post_order_readings',
  'public.handover_notes',
  'public.equipment',
  'public.handovers',
  'public.checkpoints',
  'public.tours',
  'public.checkpoint_scans',
];

/** A trigger does this elsewhere: a job sums what is left to bill of them. */
const NEW_TIMESHEETS = `
  insert into private.unbilled_changes (timesheet_id)
  select id from public.timesheets order by period_start desc`;

/** Also left to triggers elsewhere. */
const HELD_RIGHTS = 'select private.hold_rights(array(select id from public.profiles))';

/**
 * Creates the same company on every machine for the same `now`.
 * @param client inside a transaction, as the owner of the database
 * @param now the time of loading, to which all dates are relative
 * @param blobs stores the evidence files and photos; without it there are none
 */
export async function fillDemo(
  client: ClientBase,
  now = new Date(),
  blobs?: Context['blobs'],
): Promise<void> {
  await withoutTriggers(client, TABLES, () => insertCompany(client, new Calendar(now), blobs));
  await client.query(NEW_TIMESHEETS);
  // So that the first requests get good plans.
  await client.query(`analyze ${[...TABLES, 'public.audit_log'].join(', ')}`);
}

async function insertCompany(
  client: ClientBase,
  calendar: Calendar,
  blobs: Context['blobs'] | undefined,
): Promise<void> {
  const people = makePeople();
  const business = makeBusiness(calendar);
  const oversight = new Oversight(people, business);
  const company: Loading = { client, people, business, oversight, calendar };
  await insertPeople(client, people, calendar);
  await insertBusiness(company);
  await insertRoles(client, people, (person) => oversight.sitesOf(person), calendar);
  await client.query(HELD_RIGHTS);

  const leave = makeLeave(people);
  const certificates = makeCertificates(people);
  const courses = await insertCertifications(certificates, company);
  await insertPosts(courses, company);
  await insertContracts(company);
  const shifts = makeShifts(business.sites, calendar);
  const positions = new Positions(business.sites);
  let roster: Roster | undefined;
  await withoutIndexes(client, LARGE, async () => {
    // Runs while the roster is computed.
    const written = insertShifts(client, shifts);
    roster = makeRoster(shifts, leave, certificates, company);
    const attendance = makeAttendance(roster.assignments, positions, company);
    await written;
    await insertAssignments(client, roster.assignments);
    await insertAttendance(client, attendance, positions);
  });
  if (roster === undefined) throw new Error('There is no roster.');
  const { assignments } = roster;
  await insertPlanning(roster, company);

  await insertLeave(leave, company);
  const incidents = makeIncidents(assignments, company);
  const told = lettersAbout(incidents, business);
  const evidence = makePieces(incidents, told);
  await insertIncidents(incidents, company);
  await insertLetters(client, told, people.named('ops'), people.named('admin'));
  await insertTimeline(incidents, company);
  await insertReviews(incidents, company);
  await insertEvidence(client, evidence);
  if (blobs !== undefined) {
    await writeFiles(client, blobs, evidence);
    await insertPortraits(company, assignments, blobs);
  }
  await insertStaffAndPayroll(company);
  await insertPayAccounts(company);
  await insertTimesheets(company);
  await insertPayRuns(company);
  await insertInvoices(company);
  await insertAccounting(company);
  await insertDeployments(company);
  await insertEnquiries(company);
  await insertDevices(company);
  await insertRequests(company);
  await insertSafety(company);
  await insertOrders(company);
  await insertControlRoom(company);
  await insertReplacements(company);
  await insertPatrols(company);
  await insertHandovers(company);
  await insertClientContacts(company);
  await insertHistory(company);
}
