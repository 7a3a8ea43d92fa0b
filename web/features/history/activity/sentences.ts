import { formatDateTime, formatDayShort, formatTime, toDay } from '#web/lib/format/dates.ts';
import { nameInWords } from '#web/lib/format/letter-case.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { listChanges, recordSchema } from './changes.ts';
import type { Entry, Subject } from './schema.ts';

/** Fields that a sentence names; the opened entry shows all. */
const MOST_FIELDS = 3;

/** Words of a record whose table's name is no plain plural. */
const NOUNS: Record<string, string> = {
  attendance: 'attendance record',
  availability: 'availability',
  billed_time: 'billed time',
  chart_of_accounts: 'account of the books',
  contact_messages: 'enquiry',
  equipment: 'equipment',
  evidence: 'piece of evidence',
  payroll: 'payroll record',
  profiles: 'account',
  staff: 'staff record',
  staff_ledger: 'ledger entry',
  user_roles: 'role',
};

function nounOf(table: string): string {
  const noun = NOUNS[table];
  if (noun) return noun;
  const words = nameInWords(table).toLowerCase();
  return words
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}

/** Columns that follow from another one that is named. */
const DERIVED = ['starts_at'];
/** Columns that people know by another word. */
const FIELDS: Record<string, string> = { period: 'time' };

const possessive = (name: string) => `${name}’s`;

const isOwn = ({ actor, person }: Subject) => actor !== null && actor === person;

/** Whose the record is; nobody’s name comes twice in a sentence. */
const whoseOf = (subject: Subject) =>
  subject.person && (isOwn(subject) ? 'their' : possessive(subject.person));

/** @returns for example "Nov 30", in the zone of the site */
const dayOf = (instant: string, zone: string | null) =>
  zone ? formatDateTime(instant, zone).replace(/,[^,]*$/, '') : formatDayShort(toDay(instant));

const atSite = ({ site }: Subject) => (site ? ` at ${site}` : '');

/** When and where a shift is, for example " of Nov 30 at Freeport Gate". */
const occasionOf = (subject: Subject) =>
  `${subject.starts_at ? ` of ${dayOf(subject.starts_at, subject.timezone)}` : ''}${atSite(subject)}`;

/** What the entry is about, for example "Trokon Goll’s shift of Nov 30 at Freeport Gate". */
function subjectOf(entry: Entry, subject: Subject, guard?: string | null): string {
  const { person, client, name } = subject;
  switch (entry.table_name) {
    case 'shifts':
      return `${guard ? possessive(guard) : 'the'} shift${occasionOf(subject)}`;
    case 'assignments':
    case 'attendance': {
      const noun = entry.table_name === 'attendance' ? 'attendance' : 'shift';
      return `${whoseOf(subject) ?? 'the'} ${noun}${occasionOf(subject)}`;
    }
    default: {
      const noun = nounOf(entry.table_name);
      const who =
        person ?? (entry.table_name === 'clients' || entry.table_name === 'sites' ? null : client);
      if (isOwn(subject) && !name) return `their ${noun}`;
      if (name) return `the ${noun} ${name}${who && who !== name ? ` of ${who}` : ''}`;
      return who ? `${possessive(who)} ${noun}` : `the ${noun}${atSite(subject)}`;
    }
  }
}

const STATUSES: Record<string, string> = STATUS_LABELS;

function updateOf(entry: Entry, subject: Subject, guard?: string | null): string {
  const about = subjectOf(entry, subject, guard);
  const after = recordSchema.parse(entry.new_values ?? {});
  const { start_time: start, status } = after;
  if (entry.table_name === 'shifts' && typeof start === 'string') {
    const zone = subject.timezone ?? undefined;
    const isSameDay =
      subject.starts_at !== null &&
      dayOf(subject.starts_at, subject.timezone) === dayOf(start, subject.timezone);
    return `moved ${about} to ${isSameDay ? formatTime(start, zone) : formatDateTime(start, zone)}`;
  }
  if (entry.table_name === 'attendance' && isOwn(subject) && after.clock_out_at) {
    return `clocked out of the shift${occasionOf(subject)}`;
  }
  if (entry.table_name === 'assignments' && status === 'no_show' && subject.person) {
    return `marked ${subject.person} as a no-show on the shift${occasionOf(subject)}`;
  }
  if (entry.table_name === 'assignments' && isOwn(subject) && status === 'confirmed') {
    return `confirmed the shift${occasionOf(subject)}`;
  }
  const state = status ?? after.payment_status;
  if (typeof state === 'string') {
    return `set ${about} to ${(STATUSES[state] ?? nameInWords(state)).toLowerCase()}`;
  }
  const fields = listChanges(entry)
    .filter(({ field }) => !DERIVED.includes(field))
    .map(({ field }) => FIELDS[field] ?? nameInWords(field).toLowerCase());
  if (fields.length === 0) return `changed ${about}`;
  const named = fields.slice(0, MOST_FIELDS).join(', ');
  const further = fields.length - MOST_FIELDS;
  return `changed ${named}${further > 0 ? ` and ${further} more` : ''} of ${about}`;
}

const actorOf = (entry: Entry, subject: Subject | undefined) =>
  subject?.actor ?? entry.actor_email ?? 'The system';

const UNKNOWN: Subject = {
  actor: null,
  person: null,
  site: null,
  client: null,
  starts_at: null,
  timezone: null,
  name: null,
};

/**
 * @param guard whose shift it is, where the action concerns one guard
 * @returns for example "Martha Gbowee moved Trokon Goll’s shift of Nov 30 at Freeport Gate to 7 PM"
 */
export function sentenceOf(
  entry: Entry,
  known: Subject | undefined,
  guard?: string | null,
): string {
  const subject = known ?? UNKNOWN;
  const actor = actorOf(entry, known);
  const about = subjectOf(entry, subject, guard);
  const isAssignment = entry.table_name === 'assignments' && subject.person !== null;
  if (entry.action === 'update') return `${actor} ${updateOf(entry, subject, guard)}`;
  if (
    entry.action === 'insert' &&
    entry.table_name === 'notices' &&
    subject.person &&
    subject.name
  ) {
    return `${actor} notified ${subject.person}: ${subject.name}`;
  }
  if (entry.action === 'insert' && entry.table_name === 'sos_events' && isOwn(subject)) {
    return `${actor} sent an SOS${atSite(subject)}`;
  }
  if (entry.action === 'insert' && entry.table_name === 'attendance' && isOwn(subject)) {
    return `${actor} clocked in to the shift${occasionOf(subject)}`;
  }
  if (entry.action === 'insert') {
    return isAssignment
      ? `${actor} assigned ${subject.person} to the shift${occasionOf(subject)}`
      : `${actor} added ${about}`;
  }
  return isAssignment
    ? `${actor} took ${subject.person} off the shift${occasionOf(subject)}`
    : `${actor} deleted ${about}`;
}
