// How a state looks: a symbol, a word and a colour, in the counts, rows, bars and on the map.
import {
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleMinus,
  Clock,
  Hourglass,
  LogOut,
  type LucideIcon,
  Siren,
  UserX,
  WifiOff,
} from 'lucide-react';
import { cn } from '#web/lib/cn.ts';
import type { SeatState } from './seat-states.ts';

type Mark = {
  label: string;
  Icon: LucideIcon;
  text: string;
  bar: string;
  fill: string;
};

export const MARKS: Record<SeatState, Mark> = {
  sos: {
    label: 'SOS',
    Icon: Siren,
    text: 'text-danger',
    bar: 'bg-danger',
    fill: 'fill-danger',
  },
  missing: {
    label: 'Missing',
    Icon: UserX,
    text: 'text-danger',
    bar: 'bg-[repeating-linear-gradient(135deg,var(--danger)_0_2px,transparent_2px_7px)]',
    fill: 'fill-danger',
  },
  empty: {
    label: 'Empty seat',
    Icon: CircleDashed,
    text: 'text-danger',
    bar: 'bg-[repeating-linear-gradient(135deg,var(--danger)_0_2px,transparent_2px_7px)]',
    fill: 'fill-danger',
  },
  left_early: {
    label: 'Left early',
    Icon: LogOut,
    text: 'text-danger',
    bar: 'bg-danger',
    fill: 'fill-danger',
  },
  no_signal: {
    label: 'No signal',
    Icon: WifiOff,
    text: 'text-(--chart-plum)',
    bar: 'bg-[repeating-linear-gradient(135deg,var(--chart-plum)_0_2px,transparent_2px_7px)]',
    fill: 'fill-(--chart-plum)',
  },
  late: {
    label: 'Late',
    Icon: Clock,
    text: 'text-warning',
    bar: 'bg-[repeating-linear-gradient(135deg,var(--warning)_0_2px,transparent_2px_7px)]',
    fill: 'fill-warning',
  },
  unconfirmed: {
    label: 'Not confirmed',
    Icon: CircleHelp,
    text: 'text-warning',
    bar: 'border-2 border-dashed border-warning',
    fill: 'fill-warning',
  },
  due: {
    label: 'Due',
    Icon: Hourglass,
    text: 'text-info',
    bar: 'bg-transparent',
    fill: 'fill-info',
  },
  on_post: {
    label: 'On post',
    Icon: CircleCheck,
    text: 'text-success',
    bar: 'bg-success',
    fill: 'fill-success',
  },
  done: {
    label: 'Over',
    Icon: CircleMinus,
    text: 'text-muted',
    bar: 'bg-muted/35',
    fill: 'fill-muted',
  },
};

export function StateMark({ state, className }: { state: SeatState; className?: string }) {
  const { label, Icon, text } = MARKS[state];
  return (
    <span className={cn('inline-flex items-center gap-1.5 font-semibold', text, className)}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {label}
    </span>
  );
}
