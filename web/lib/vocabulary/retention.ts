// The kinds of records with a period after which they end, in words for the office and for the people concerned.
import { formatCount } from '#shared/count.ts';

type KindWords = {
  label: string;
  end: string;
  /** Why a record may stay longer. */
  longer?: string;
  /** How people read about it on their own page; undefined for what is not about them. */
  guard?: string;
  contact?: string;
};

const OPEN_HOURS = 'Longer while the hours are not locked, disputed or not billed';

export const RETENTION_KINDS: Record<string, KindWords> = {
  positions: {
    label: 'Positions',
    end: 'Coordinates of clock events, scans of checkpoints, SOS and photos are removed. The record and its distance to the site stay.',
    longer: `${OPEN_HOURS}, or the incident or alarm is open.`,
    guard: 'Where you were at clock events, checkpoints and alarms',
  },
  clock_photos: {
    label: 'Pictures at clock events',
    end: 'Pictures that shared devices take are deleted. The clock event stays.',
    longer: `${OPEN_HOURS}.`,
    guard: 'Pictures that a shared device took of you',
  },
  evidence: {
    label: 'Evidence of incidents',
    end: 'Photos and documents of closed incidents are deleted. The report stays.',
    longer: 'Longer while the incident is open, or a letter waits for approval.',
    guard: 'Photos and documents of your reports, after they were closed',
    contact: 'photos of an incident, after it was closed',
  },
  documents: {
    label: 'Documents of people who left',
    end: 'Contracts, IDs and other documents are deleted. The period begins after the last day.',
    guard: 'Your documents, after you left',
  },
  unused_photos: {
    label: 'Photos without a person',
    end: 'Photos that were stored, but never became the photo of a person, are deleted.',
    guard: 'Photos of you that were stored but never used',
  },
  leave_reasons: {
    label: 'Reasons of leave',
    end: 'The reason and the note of the decision are removed, and why guards were late or could not come. The leave stays.',
    longer: 'Longer while the hours of that time are not locked.',
    guard: 'The reasons of your leave, and why you were late or could not come',
  },
  welfare_checks: {
    label: 'Welfare checks',
    end: 'Answered checks are deleted.',
    guard: 'Your answers to welfare checks',
  },
  calls: {
    label: 'Calls for service',
    end: 'Closed calls are deleted, with their callers and timeline, and what alarm panels sent.',
    longer: 'Longer while the call is open.',
    guard: 'Steps of your response unit',
  },
  messages: {
    label: 'Text messages of guards',
    end: 'Messages and missed calls are deleted.',
    longer: 'Longer until they are handled and the hours are locked.',
    guard: 'Text messages that you sent us',
  },
  notices: {
    label: 'Notices',
    end: 'Notices and the record of their delivery are deleted.',
    guard: 'Notices to you',
  },
  duty_notes: {
    label: 'Notes on duty',
    end: 'Handover notes, entries and keys of the books of posts, the log of the control room, its handovers, its daily reports and announcements, with who has read them, are deleted.',
    longer: 'Pinned notes and keys that are out stay. Announcements count from their last day.',
    guard: 'Handover notes and entries of the book that you wrote, and which news you have read',
  },
  visits: {
    label: 'Visitors at posts',
    end: 'Visits are deleted, with names and plates, after the visitor left, and from the pages that clients read. A site may have its own days.',
    guard: 'Visitors that you signed in',
  },
  enquiries: {
    label: 'Enquiries',
    end: 'Messages of the contact form are deleted.',
    longer: 'Longer until they are answered or closed.',
  },
  client_messages: {
    label: 'Messages of clients',
    end: 'Messages and requests of the client portal are deleted, with our answers.',
    longer: 'Longer until they are answered.',
    contact: 'your messages and our answers',
  },
  sign_ins: {
    label: 'Sign-ins',
    end: 'The trail of sign-ins and security events is deleted.',
    guard: 'When and from where you signed in',
    contact: 'when and from where you signed in',
  },
  activity: {
    label: 'Activity log',
    end: 'Who changed what is deleted.',
    guard: 'What you changed',
  },
};

const DAYS_IN_YEAR = 365;

/** @returns for example "90 days" or "5 years" */
export function periodText(days: number): string {
  const years = days / DAYS_IN_YEAR;
  if (Number.isInteger(years)) return years === 1 ? '1 year' : `${years} years`;
  return days === 1 ? '1 day' : `${formatCount(days)} days`;
}
