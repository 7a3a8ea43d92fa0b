import type { BadgeTone } from '#web/components/ui/badge.tsx';

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

/** Least severe first. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** In workflow order. */
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
