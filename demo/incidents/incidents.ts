import type { ClientBase } from 'pg';
import { HOUR, iso, minutes } from '../calendar.ts';
import { type Business, type Company, type Loading, largestClients } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import type { Person } from '../people/people.ts';
import { idOf, Random } from '../random.ts';
import type { Assignment } from '../roster/roster.ts';
import incidentsData from './incidents.json' with { type: 'json' };

/** `weight` is relative frequency. */
const { followUps: FOLLOW_UPS, categories: INCIDENTS } = incidentsData;
type Report = (typeof INCIDENTS)[number]['reports'][number];

const COUNT = 600;
/** Share of incidents at the busiest site. */
const AT_BUSIEST = 0.09;

const REPORT_NOTES = [
  'The client’s foreman saw it too. He is in the site office until 5 PM.',
  'I looked again by daylight: nothing else is damaged.',
  'The police came and took down what I said.',
  'The driver came back. I wrote down the number of his car.',
];

const QUESTIONS = [
  'Who else saw it, and where can we reach them?',
  'When exactly did you notice it first?',
  'Please add a photo of the damage.',
];

const STATUSES = ['open', 'investigating', 'resolved', 'closed'] as const;
type Status = (typeof STATUSES)[number];

export interface Incident {
  id: string;
  assignment: Assignment;
  category: string;
  report: Report;
  status: Status;
  /** Text of the last follow-up. */
  notes: string | null;
  at: number;
  followedUp: number;
}

/** @param age days since the report */
function statusAfter(age: number, random: Random): Status {
  if (age < 2) return random.chance(0.75) ? 'open' : 'investigating';
  if (age < 8) return random.among({ open: 20, investigating: 35, resolved: 35, closed: 10 });
  return random.among({ open: 1, investigating: 3, resolved: 38, closed: 58 });
}

/**
 * @param assignments only those with a clock-in report incidents
 * @returns incidents in chronological order
 */
export function makeIncidents(
  assignments: readonly Assignment[],
  { business, calendar }: Company,
): Incident[] {
  const random = new Random('incidents');
  const now = calendar.now.getTime();
  const worked = assignments.filter(({ attendance }) => attendance !== 'none');
  const busiest = worked.filter(({ shift }) => shift.site === business.busiest);
  const made = Array.from({ length: COUNT }, (_, index) => {
    const assignment = random.pick(random.chance(AT_BUSIEST) ? busiest : worked);
    const { start, end } = assignment.shift;
    const latest = Math.min(end, now) - minutes(2);
    const at = start + minutes(10) + random.next() * Math.max(0, latest - start - minutes(10));
    const { category, reports } = random.weighted(
      INCIDENTS.map((entry) => [entry, entry.weight] as const),
    );
    const status = statusAfter((now - at) / (24 * HOUR), random);
    return {
      id: idOf('incident', index),
      assignment,
      category,
      report: random.pick(reports),
      status,
      notes: status !== 'open' && random.chance(0.6) ? random.pick(FOLLOW_UPS) : null,
      at: Math.min(at, now),
      followedUp: Math.min(at + minutes(random.int(20, 2_600)), now),
    };
  });
  return made.sort((a, b) => a.at - b.at);
}

/** Hours until the follow-up is due. */
const DUE_AFTER: Readonly<Record<string, number>> = { critical: 4, high: 24, medium: 72, low: 168 };

export async function insertIncidents(
  incidents: readonly Incident[],
  { client, oversight }: Loading,
): Promise<void> {
  const random = new Random('owners of incidents');
  const rows = incidents.map(({ id, assignment, category, report, status, at, followedUp }) => {
    // New reports wait for an owner.
    const isOwned = random.chance(status === 'open' ? 0.3 : 0.9);
    const due = at + (DUE_AFTER[report.severity] ?? 72) * HOUR;
    return {
      id,
      site_id: assignment.shift.site.id,
      raised_by_user_id: assignment.guard.id,
      category,
      ...report,
      status,
      owner_id: isOwned ? oversight.overseerOf(assignment.shift.site).id : null,
      due_at: isOwned ? iso(due) : null,
      created_at: iso(at),
      updated_at: iso(status === 'open' ? at : followedUp),
    };
  });
  await insertRows(client, 'incidents', rows);
}

const TEMPLATES = [
  {
    title: 'Fence or gate damaged',
    category: 'property',
    severity: 'medium',
    questions:
      'Where is it?\nHow large is the hole?\nWho was told?\nWhat did you do until it is repaired?',
  },
  {
    title: 'Stranger on the site',
    category: 'security',
    severity: 'high',
    questions: 'Where did you see the person?\nWhat did the person do and say?\nHow did it end?',
  },
  {
    title: 'Somebody is hurt or ill',
    category: 'medical',
    severity: 'high',
    questions: 'Who is it, and what happened?\nWho helped, and where is the person now?',
  },
  {
    title: 'Power or light is out',
    category: 'safety',
    severity: 'low',
    questions: 'Which lights?\nSince when?\nIs the generator running, and how much fuel is left?',
  },
];

export async function insertTemplates({ client }: Loading): Promise<void> {
  const rows = TEMPLATES.map((row, number) => ({ id: idOf('report template', number), ...row }));
  await insertRows(client, 'incident_templates', rows);
}

const LETTERS = 24;
const LETTERS_OF_CLIENT = 6;

/** The latest grave incidents that are over, and more of the client whose contact the demo's account is. */
export function lettersAbout(incidents: readonly Incident[], { clients }: Business): Incident[] {
  const over = incidents.filter(({ status }) => status === 'resolved' || status === 'closed');
  const isGrave = ({ report: { severity } }: Incident) =>
    severity === 'high' || severity === 'critical';
  const largest = largestClients(clients, 1);
  const own = over.filter(({ assignment }) => largest.includes(assignment.shift.site.client));
  return [...new Set([...over.filter(isGrave).slice(-LETTERS), ...own.slice(-LETTERS_OF_CLIENT)])];
}

export async function insertLetters(
  client: ClientBase,
  told: readonly Incident[],
  author: Person,
  approver: Person,
): Promise<void> {
  const random = new Random('letters to clients');
  const rows = told.map(({ id, assignment, category, report, status, at, followedUp }, index) => {
    const { site } = assignment.shift;
    const sent = iso(followedUp);
    const isMailed = random.chance(0.6);
    return {
      id: idOf('letter', index),
      incident_id: id,
      version: 1,
      addressee: site.client.name,
      email: isMailed ? 'facilities@client.example' : null,
      subject: report.title,
      summary: 'Our guards reported the incident at once and secured the post until help came.',
      actions: random.pick(FOLLOW_UPS),
      signatory: author.fullName,
      signatory_title: 'Operations Manager',
      facts: JSON.stringify({
        site: site.name,
        site_address: site.address,
        timezone: 'Africa/Monrovia',
        category,
        severity: report.severity,
        status,
        reported_at: iso(at),
      }),
      sent_by: author.id,
      approved_at: sent,
      approved_by: approver.id,
      mailed_at: isMailed ? sent : null,
      created_at: sent,
    };
  });
  await insertRows(client, 'incident_letters', rows);
}

/**
 * One entry for each status that an incident went through. The last one has the time of the incident's last change, and its
 * note.
 */
export async function insertTimeline(
  incidents: readonly Incident[],
  { client, oversight }: Loading,
): Promise<void> {
  const entries = incidents
    .flatMap(({ id: incident_id, at, followedUp, status, notes, assignment }) => {
      const reached = STATUSES.indexOf(status);
      return STATUSES.slice(0, reached).map((from_status, step) => ({
        note: step + 1 === reached ? notes : null,
        incident_id,
        from_status,
        to_status: STATUSES[step + 1] ?? status,
        created_by: oversight.overseerOf(assignment.shift.site).id,
        created_at: iso(at + ((followedUp - at) * (step + 1)) / reached),
      }));
    })
    .map((entry, index) => ({ id: idOf('incident update', index), ...entry }));
  const updates = entries.map(({ note: _, ...update }) => update);
  await insertRows(client, 'incident_updates', updates);
  const notes = entries.flatMap(({ id, incident_id, note }) =>
    note === null ? [] : [{ id, incident_id, note }],
  );
  await insertRows(client, 'incident_notes', notes);
  await insertReportNotes(client, incidents);
}

/** Every ninth reporter adds something. */
async function insertReportNotes(
  client: ClientBase,
  incidents: readonly Incident[],
): Promise<void> {
  const rows = incidents
    .filter((_, index) => index % 9 === 4)
    .map(({ id: incident_id, followedUp, assignment }, index) => ({
      id: idOf('report note', index),
      incident_id,
      note: REPORT_NOTES[index % REPORT_NOTES.length] ?? '',
      created_by: assignment.guard.id,
      created_at: iso(followedUp),
    }));
  await insertRows(client, 'report_notes', rows);
}

/** Reports of the last days wait for their review, and some are late; every sixth of them was sent back with a question. */
export async function insertReviews(
  incidents: readonly Incident[],
  { client, oversight, calendar }: Loading,
): Promise<void> {
  const now = calendar.now.getTime();
  const rows = incidents.flatMap(({ id, at, status, assignment }, index) => {
    const isNew = status === 'open' && now - at < 48 * HOUR;
    const isAsked = isNew && index % 6 === 0;
    if (isNew && !isAsked) return [];
    return [
      {
        id: idOf('incident review', index),
        incident_id: id,
        decision: isAsked ? 'returned' : 'accepted',
        note: isAsked ? (QUESTIONS[index % QUESTIONS.length] ?? '') : null,
        reviewed_by: oversight.overseerOf(assignment.shift.site).id,
        created_at: iso(Math.min(at + minutes(5 + (index % 40)), now)),
      },
    ];
  });
  await insertRows(client, 'incident_reviews', rows);
  // The steps that a server would have taken by now, without their notices.
  await client.query(`
    insert into public.incident_escalations (incident_id, goal, level, deadline, owner_id)
    select d.incident_id, d.goal, d.level, d.deadline, d.owner_id from private.due_escalations(now()) d`);
}
