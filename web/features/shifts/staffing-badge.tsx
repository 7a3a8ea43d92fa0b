import { Badge } from '#web/components/ui/badge.tsx';
import type { Shift } from './shift-schema.ts';
import { STAFFING_LABELS, STAFFING_TONES, staffingOf } from './staffing.ts';

export function StaffingBadge({ shift }: { shift: Shift }) {
  const staffing = staffingOf(shift);
  return <Badge tone={STAFFING_TONES[staffing]}>{STAFFING_LABELS[staffing]}</Badge>;
}
