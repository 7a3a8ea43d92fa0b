import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { INCIDENTS_STATUS } from '#shared/database.values.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import type { REVIEW_STATES } from '#web/lib/vocabulary/statuses.ts';

type Tables = Database['public']['Tables'];
export type Incident = Tables['incidents']['Row'];
export type Evidence = Tables['evidence']['Row'];

type PersonName = { full_name: string | null; email: string | null };

/** Computed columns. */
export type Handling = {
  review_state: (typeof REVIEW_STATES)[number];
  /** For the response or the resolution; null unless the incident is active. */
  next_deadline: string | null;
};

export type IncidentRow = Incident &
  Handling & {
    sites: { name: string };
    owner: PersonName | null;
    evidence: { id: string }[];
  };

export type Review = Tables['incident_reviews']['Row'] & { reviewer: PersonName | null };

/** An entry of the timeline; the note is null also if the user may not read it. */
export type IncidentUpdate = Tables['incident_updates']['Row'] & {
  author: PersonName | null;
  owner: PersonName | null;
  incident_notes: { note: string } | null;
};

export type IncidentDetails = Incident &
  Handling & {
    sites: { name: string; client_id: string | null; client_name: string; address: string };
    owner: PersonName | null;
    clerk: PersonName | null;
    evidence: Evidence[];
    report_notes: Tables['report_notes']['Row'][];
    incident_updates: IncidentUpdate[];
    incident_reviews: Review[];
    incident_escalations: Tables['incident_escalations']['Row'][];
  };

export const statusChangeSchema = z.object({
  status: z.enum(INCIDENTS_STATUS),
  note: textField('The notes', limits.INCIDENT_NOTES_NOTE_MAX),
});
export type StatusChange = z.infer<typeof statusChangeSchema>;

/** Whether the follow-up is late, by the device's clock. */
export function isOverdue({ due_at, status }: Pick<Incident, 'due_at' | 'status'>): boolean {
  const isActive = status === 'open' || status === 'investigating';
  return isActive && due_at !== null && Date.parse(due_at) < Date.now();
}

/** A second person approves letters about these, and reviews reports of them. */
export const isGrave = (severity: Incident['severity']): boolean =>
  severity === 'high' || severity === 'critical';

/** @returns the name, else the email address */
export function findName(person: PersonName | null | undefined): string | undefined {
  return person?.full_name || person?.email || undefined;
}

type Author = Pick<IncidentRow, 'severity' | 'raised_by_user_id' | 'entered_by'>;

/** Whether the database lets this user mark the report as reviewed: somebody else must read a grave one. */
export const mayReview = ({ severity, raised_by_user_id, entered_by }: Author, me?: string) =>
  !isGrave(severity) || (me !== raised_by_user_id && me !== entered_by);
