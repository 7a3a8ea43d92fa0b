// Severity and status of an incident as coloured words.
import { Badge } from '#web/components/ui/badge.tsx';
import {
  SEVERITY_LABELS,
  SEVERITY_TONES,
  type Severity,
  STATUS_LABELS,
  STATUS_TONES,
  type Status,
} from '../labels.ts';

export function SeverityBadge({ severity }: { severity: Severity }) {
  return <Badge tone={SEVERITY_TONES[severity]}>{SEVERITY_LABELS[severity]}</Badge>;
}

export function StatusBadge({ status }: { status: Status }) {
  return <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>;
}
