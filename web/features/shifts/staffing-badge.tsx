import { Badge } from '#web/components/ui/badge.tsx';
import { STATUS_LABELS, STATUS_TONES } from '#web/lib/vocabulary/statuses.ts';
import type { Shift } from './shift-schema.ts';
import { staffingOf } from './staffing.ts';

export function StaffingBadge({ shift }: { shift: Shift }) {
  const staffing = staffingOf(shift);
  return <Badge tone={STATUS_TONES[staffing]}>{STATUS_LABELS[staffing]}</Badge>;
}
