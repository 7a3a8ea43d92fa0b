import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { listSearch, sortField } from '#web/lib/data/list-search.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { INCIDENT_STATUSES, SEVERITIES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';

type Tables = Database['public']['Tables'];
export type Incident = Tables['incidents']['Row'];
export type Evidence = Tables['evidence']['Row'];

type PersonName = { full_name: string | null; email: string | null };

export type IncidentRow = Incident & {
  sites: { name: string };
  evidence: { id: string }[];
};

/** An entry of the timeline; the note is null also if the user may not read it. */
export type IncidentUpdate = Tables['incident_updates']['Row'] & {
  author: PersonName | null;
  incident_notes: { note: string } | null;
};

export type IncidentDetails = Incident & {
  sites: { name: string; client_name: string; address: string };
  evidence: Evidence[];
  incident_updates: IncidentUpdate[];
};

/** `active`: open or investigating. */
export const STATUS_FILTERS = ['active', ...INCIDENT_STATUSES] as const;
export const STATUS_FILTER_LABELS = { ...STATUS_LABELS, active: 'Open or investigating' };

export const incidentSearch = z.object({
  ...listSearch,
  status: z.enum(STATUS_FILTERS).optional().catch(undefined),
  severity: z.enum(SEVERITIES).optional().catch(undefined),
  sort: sortField(['title', 'site', 'severity', 'status', 'reported']),
});
export type IncidentSearch = z.infer<typeof incidentSearch>;
export type IncidentFilters = Omit<IncidentSearch, 'open' | 'page'>;

export const statusChangeSchema = z.object({
  status: z.enum(INCIDENT_STATUSES),
  note: textField('The notes', 5000),
});
export type StatusChange = z.infer<typeof statusChangeSchema>;

/** @returns the name, else the email address */
export function nameOf(person: PersonName | null | undefined): string | undefined {
  return person?.full_name || person?.email || undefined;
}
