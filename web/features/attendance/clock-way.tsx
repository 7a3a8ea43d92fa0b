import {
  Building2,
  type LucideIcon,
  MessageSquareText,
  Smartphone,
  TabletSmartphone,
  UserRoundCheck,
} from 'lucide-react';
import { clockWayLabel } from '#web/lib/vocabulary/kinds.ts';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  phone: Smartphone,
  device: TabletSmartphone,
  muster: UserRoundCheck,
  message: MessageSquareText,
  office: Building2,
};

/** How a clock event was made. */
export function ClockWay({ way }: { way: string }) {
  const Icon = ICONS[way];
  return (
    <span className="inline-flex items-center gap-1 text-sm font-normal whitespace-nowrap text-muted">
      {Icon && <Icon aria-hidden className="size-3.5 shrink-0" />}
      {clockWayLabel(way)}
    </span>
  );
}
