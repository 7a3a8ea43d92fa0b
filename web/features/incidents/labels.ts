// Categories, severities and statuses of an incident: their order, their words and their colours.
import type { BadgeTone } from '#web/components/ui/badge.tsx';

/** Specification, section 5. */
export const CATEGORIES = [
  'security',
  'safety',
  'property',
  'medical',
  'fire',
  'theft',
  'vandalism',
  'other',
] as const;
type Category = (typeof CATEGORIES)[number];

/** From the least to the gravest. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** In the order in which an incident goes through them. */
export const STATUSES = ['open', 'investigating', 'resolved', 'closed'] as const;
export type Status = (typeof STATUSES)[number];

export const CATEGORY_LABELS: Record<Category, string> = {
  security: 'Security',
  safety: 'Safety',
  property: 'Property',
  medical: 'Medical',
  fire: 'Fire',
  theft: 'Theft',
  vandalism: 'Vandalism',
  other: 'Other',
};

export const SEVERITY_LABELS: Record<Severity, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  critical: 'Critical',
};

/** Specification, section 2 (staff portal). */
export const SEVERITY_TONES: Record<Severity, BadgeTone> = {
  low: 'blue',
  medium: 'yellow',
  high: 'orange',
  critical: 'red',
};

export const STATUS_LABELS: Record<Status, string> = {
  open: 'Open',
  investigating: 'Investigating',
  resolved: 'Resolved',
  closed: 'Closed',
};

export const STATUS_TONES: Record<Status, BadgeTone> = {
  open: 'orange',
  investigating: 'blue',
  resolved: 'green',
  closed: 'grey',
};
