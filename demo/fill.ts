// Fills a new database with the demo company, dated from the day it is loaded.
import type { ClientBase } from 'pg';
import type { Context } from 'supabase-in-node/context';
import { insertContracts } from './billing/contracts.ts';
import { invoiceSteps } from './billing/invoices.ts';
import { Calendar } from './calendar.ts';
import {
  insertBusiness,
  type Loading,
  makeBusiness,
  Oversight,
  type Step,
} from './clients/business.ts';
import { insertEnquiries } from './clients/enquiries.ts';
import { makeAttendance, Positions } from './clocking/attendance.ts';
import { insertDevices } from './clocking/devices.ts';
import { insertHistory } from './history/history.ts';
import { drawPhotographs, insertEvidence, makePieces, writeFiles } from './incidents/evidence.ts';
import {
  insertIncidents,
  insertLetters,
  insertReviews,
  insertTemplates,
  insertTimeline,
  lettersAbout,
  makeIncidents,
} from './incidents/incidents.ts';
import { withoutIndexes, withoutTriggers } from './insert-rows.ts';
import { insertLeave, type Leave, makeLeave } from './leave/leave.ts';
import { insertAccounting } from './money/accounting.ts';
import { importStatement } from './money/bank.ts';
import { insertBooks } from './money/books.ts';
import { insertAnnouncements } from './notices/announcements.ts';
import { insertReplacements } from './offers/replacements.ts';
import { insertRequests } from './offers/requests.ts';
import { insertControlRoom } from './operations/control-room.ts';
import { insertDispatch } from './operations/dispatch.ts';
import { insertPatrols } from './operations/patrols.ts';
import { payRunSteps } from './pay/pay-runs.ts';
import { insertStaffAndPayroll } from './pay/payroll.ts';
import { insertPayAccounts } from './payments/pay-accounts.ts';
import {
  type Certificate,
  insertCertifications,
  makeCertificates,
} from './people/certifications.ts';
import { insertPeople, insertRoles, makePeople } from './people/people.ts';
import { drawPortraits, insertPortraits } from './people/portraits.ts';
import { insertSetup } from './platform/setup.ts';
import { insertClientContacts } from './portal/client-contacts.ts';
import { insertBook } from './posts/book.ts';
import { insertHandovers } from './posts/handovers.ts';
import { insertOrders } from './posts/orders.ts';
import { insertPages } from './posts/pages.ts';
import { insertPlanning, insertPosts } from './roster/planning.ts';
import { makeRoster, type Roster } from './roster/roster.ts';
import { insertAssignments, insertAttendance } from './roster/write-roster.ts';
import { insertSafety } from './safety/safety.ts';
import { insertDeployments } from './shifts/deployments.ts';
import { insertShifts, makeShifts } from './shifts/shifts.ts';
import { COMPUTED, LARGE, TABLES } from './tables.ts';
import { timesheetSteps } from './time/timesheets.ts';

/** Left to triggers elsewhere. */
const HELD_RIGHTS = 'select private.hold_rights(array(select id from public.profiles))';

type OnStep = (done: number, total: number) => void;

/**
 * Creates the same company on every machine for the same `now`, in one go.
 * @param client inside a transaction, as the owner of the database
 * @param now the time of loading, to which all dates are relative
 * @param blobs stores the evidence files and photos; without it there are none
 */
export async function fillDemo(
  client: ClientBase,
  now = new Date(),
  blobs?: Context['blobs'],
  onStep: OnStep = () => {},
): Promise<void> {
  const steps = historySteps(now);
  let total = steps.length;
  await fillToday(client, now, blobs, (done, parts) => {
    total = parts + steps.length;
    onStep(done, total);
  });
  await withoutTriggers(client, TABLES, async () => {
    for (const [place, step] of steps.entries()) {
      await step(client);
      onStep(total - steps.length + place + 1, total);
    }
  });
}

/**
 * People, sites, shifts, attendance, incidents: everything but what is computed from them.
 * @param client inside a transaction, as the owner of the database
 */
export async function fillToday(
  client: ClientBase,
  now: Date,
  blobs?: Context['blobs'],
  onStep: OnStep = () => {},
): Promise<void> {
  await withoutTriggers(client, TABLES, () =>
    insertCompany(client, new Calendar(now), blobs, onStep),
  );
  // So that the first requests get good plans. The large ones have their statistics.
  const filled = [...TABLES, 'public.audit_log'].filter(
    (table) => !COMPUTED.includes(table) && !LARGE.includes(table),
  );
  await client.query(`analyze ${filled.join(', ')}`);
}

/**
 * What follows from the facts of `fillToday`: the hours, pay runs and invoices of the closed months. The steps are run in
 * this order without triggers, each in a transaction of its own or all in one.
 * @param now as for `fillToday`
 */
export function historySteps(now: Date): ((client: ClientBase) => Promise<void>)[] {
  const calendar = new Calendar(now);
  const people = makePeople();
  const business = makeBusiness(calendar);
  const oversight = new Oversight(people, business);
  return [...timesheetSteps, ...payRunSteps, ...invoiceSteps, importStatement, leaveToJobs].map(
    (step) => (client: ClientBase) => step({ client, people, business, oversight, calendar }),
  );
}

/** Triggers and jobs do this elsewhere: what is left to bill is summed later, and what is due has long been told of. */
async function leaveToJobs({ client }: Loading): Promise<void> {
  await client.query(
    `insert into private.unbilled_changes (timesheet_id)
     select id from public.timesheets order by period_start desc`,
  );
  await client.query(`analyze ${COMPUTED.join(', ')}`);
  await client.query(
    `insert into private.told_dates (topic, subject, falls_on)
     select distinct topic, subject, falls_on from private.due_dates()`,
  );
}

/** After the roster; in this order, because some read what others have written. */
const PARTS: readonly Step[] = [
  insertStaffAndPayroll,
  insertPayAccounts,
  insertAccounting,
  insertBooks,
  insertDeployments,
  insertEnquiries,
  insertDevices,
  insertRequests,
  insertSafety,
  insertOrders,
  insertControlRoom,
  insertReplacements,
  insertPatrols,
  insertHandovers,
  insertAnnouncements,
  insertClientContacts,
  insertSetup,
  insertDispatch,
  insertBook,
  insertPages,
  insertHistory,
];

/** Steps of `insertCompany` before the parts. */
const EARLIER_STEPS = 6;

async function insertCompany(
  client: ClientBase,
  calendar: Calendar,
  blobs: Context['blobs'] | undefined,
  onStep: OnStep,
): Promise<void> {
  let done = 0;
  const step = (): void => {
    done += 1;
    onStep(done, EARLIER_STEPS + PARTS.length);
  };
  const people = makePeople();
  const business = makeBusiness(calendar);
  const oversight = new Oversight(people, business);
  const company: Loading = { client, people, business, oversight, calendar };
  await insertPeople(client, people, calendar);
  await insertBusiness(company);
  await insertRoles(client, people, (person) => oversight.sitesOf(person), calendar);
  await client.query(HELD_RIGHTS);
  step();

  const leave = makeLeave(people);
  const certificates = makeCertificates(people);
  const courses = await insertCertifications(certificates, company);
  await insertPosts(courses, company);
  await insertContracts(company);
  step();
  const roster = await insertRoster(company, leave, certificates, step);
  const { assignments } = roster;
  const pictures = Promise.all([drawPhotographs(), drawPortraits(company, assignments)]);
  // An error reaches the `await` below, unless the database fails first.
  pictures.catch(() => {});
  await insertPlanning(roster, company);
  await insertLeave(leave, company);
  step();
  const incidents = makeIncidents(assignments, company);
  const told = lettersAbout(incidents, business);
  const evidence = makePieces(incidents, told);
  await insertIncidents(incidents, company);
  await insertTemplates(company);
  await insertLetters(client, told, people.named('ops'), people.named('admin'));
  await insertTimeline(incidents, company);
  await insertReviews(incidents, company);
  await insertEvidence(client, evidence);
  if (blobs !== undefined) {
    const [photos, portraits] = await pictures;
    await writeFiles(client, blobs, evidence, photos);
    await insertPortraits(client, blobs, portraits);
  }
  step();
  for (const part of PARTS) {
    await part(company);
    step();
  }
}

/** Shifts, who works them, and who came. */
async function insertRoster(
  company: Loading,
  leave: readonly Leave[],
  certificates: readonly Certificate[],
  step: () => void,
): Promise<Roster> {
  const { client, business, calendar } = company;
  const shifts = makeShifts(business.sites, calendar);
  const positions = new Positions(business.sites);
  let roster: Roster | undefined;
  await withoutIndexes(client, LARGE, async () => {
    // Runs while the roster is computed.
    const written = insertShifts(client, shifts);
    roster = makeRoster(shifts, leave, certificates, company);
    const attendance = makeAttendance(roster.assignments, positions, company);
    await written;
    step();
    await insertAssignments(client, roster.assignments);
    await insertAttendance(client, attendance, positions);
    step();
  });
  // What comes next reads them by guard, site and time.
  await client.query(`analyze ${LARGE.join(', ')}`);
  if (roster === undefined) throw new Error('There is no roster.');
  return roster;
}
