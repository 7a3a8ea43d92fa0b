// Words of the book of a post.
import type {
  POST_ENTRIES_KIND,
  VISITS_DOCUMENT_TYPE,
  VISITS_KIND,
} from '#shared/database.values.ts';

export type EntryKind = (typeof POST_ENTRIES_KIND)[number];
export type VisitKind = (typeof VISITS_KIND)[number];
type DocumentType = (typeof VISITS_DOCUMENT_TYPE)[number];

/** Kinds of lines: those of entries, and what is recorded elsewhere. */
export const LINE_KINDS = [
  'check',
  'observation',
  'visitor',
  'vehicle',
  'key',
  'delivery',
  'lost_found',
  'instruction',
  'handover',
  'duty',
  'patrol',
  'incident',
] as const;
type LineKind = (typeof LINE_KINDS)[number];

export const LINE_KIND_LABELS: Record<LineKind, string> = {
  check: 'Check',
  observation: 'Observation',
  visitor: 'Visitor',
  vehicle: 'Vehicle',
  key: 'Key',
  delivery: 'Delivery',
  lost_found: 'Lost & found',
  instruction: 'Instruction',
  handover: 'Handover',
  duty: 'Duty',
  patrol: 'Patrol',
  incident: 'Incident',
};

/** By kind and step. */
const STEP_LABELS: Readonly<Record<string, string>> = {
  'visitor in': 'Visitor in',
  'visitor out': 'Visitor out',
  'vehicle in': 'Vehicle in',
  'vehicle out': 'Vehicle out',
  'key out': 'Key out',
  'key in': 'Key back',
  'duty in': 'Clocked in',
  'duty out': 'Clocked out',
  'handover taken': 'Equipment taken over',
  'handover left': 'Equipment handed over',
};

/** @returns for example "Visitor in"; the kind itself if a newer server sends one that is not known */
export function lineLabel(kind: string, step: string | null): string {
  const known = LINE_KINDS.find((each) => each === kind);
  return STEP_LABELS[`${kind} ${step}`] ?? (known ? LINE_KIND_LABELS[known] : kind);
}

export const DOCUMENT_LABELS: Record<DocumentType, string> = {
  national_id: 'National ID',
  passport: 'Passport',
  driving_licence: 'Driving licence',
  work_id: 'Work ID',
  none: 'None shown',
};

type Somebody = { name: string | null; company: string | null; plate: string | null };

/** @returns for example "A-48213, Mary Cole, LEC"; a vehicle is known by its plate */
export const visitorName = ({ kind, name, company, plate }: Somebody & { kind: string }): string =>
  (kind === 'vehicle' ? [plate, name, company] : [name, company, plate]).filter(Boolean).join(', ');
