import { Repeat, UserPlus } from 'lucide-react';
import { actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { Weekday } from '#web/components/text/date-text.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { foreignZone } from '#web/lib/format/dates.ts';
import type { DraftedGuards } from './draft-api.ts';
import type { Shift } from './shift-schema.ts';
import type { ShiftTab } from './shift-search.ts';
import { formatShift, isRunning } from './shift-times.ts';
import { describeAbsences, describeDraft, describeGap, judgeStaffing } from './staffing.ts';

type Actions = {
  /** What the roster's draft would change; undefined when nothing. */
  draftedOf: (shift: Shift) => DraftedGuards | undefined;
  onOpen: (shift: Shift, tab?: ShiftTab) => void;
  /** Undefined when the user may not delete shifts. */
  onDelete: ((shift: Shift) => void) | undefined;
};

/** For screen readers and messages. */
export const shiftName = (shift: Shift) => `${shift.site_name}, ${formatShift(shift)}`;

export const shiftColumns = ({ draftedOf, onOpen, onDelete }: Actions): Column<Shift>[] => [
  {
    header: 'Date & Time',
    card: 'title',
    // A date of another year breaks before the table would become cards.
    className:
      'min-w-60 whitespace-nowrap in-data-tight:whitespace-normal compact:max-w-none compact:in-data-tight:whitespace-nowrap',
    sort: 'time',
    cell: (row) => (
      <span className="tabular-nums">
        <Weekday at={row.start_time} zone={row.timezone} />
        {formatShift(row)}
        {/* Beside a night's two dates a compact row has no room to spare, and breaks no word. */}
        <SecondLine className="compact:in-data-tight:whitespace-nowrap">
          {isRunning(row) && 'Running now'}
        </SecondLine>
        <SecondLine>{foreignZone(row.timezone)}</SecondLine>
      </span>
    ),
  },
  {
    header: 'Site',
    className: 'min-w-36 compact:max-w-36',
    sort: 'site',
    cell: (row) => (
      <>
        <SiteLink id={row.site_id} name={row.site_name} />
        <SecondLine narrow compact="hidden" className="max-lg:hidden">
          {row.client_name}
        </SecondLine>
      </>
    ),
  },
  {
    header: 'Staffing',
    className: 'whitespace-nowrap',
    sort: 'staffing',
    cell: (row) => (
      <>
        <span className="font-semibold tabular-nums">
          {row.assigned}/{row.required_headcount}
        </span>
        <SecondLine className="max-lg:ml-2 max-lg:inline">
          {[describeGap(row), describeAbsences(row)].filter(Boolean).join(', ')}
        </SecondLine>
        <SecondLine className="whitespace-normal">{describeDraft(draftedOf(row))}</SecondLine>
      </>
    ),
  },
  { header: 'Status', card: 'aside', cell: (row) => <StatusBadge status={judgeStaffing(row)} /> },
  {
    header: 'Notes',
    className: 'compact:max-w-24',
    cell: (row) => (
      <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">{row.notes ?? '-'}</span>
    ),
  },
  actionsColumn((row) => ({
    name: shiftName(row),
    onEdit: () => onOpen(row),
    onDelete: onDelete && (() => onDelete(row)),
    children: (
      <>
        <IconButton
          title="Assign guards"
          label={`Assign guards to ${shiftName(row)}`}
          Icon={UserPlus}
          onClick={() => onOpen(row)}
        />
        <IconButton
          title="Repeat"
          label={`Repeat ${shiftName(row)}`}
          Icon={Repeat}
          onClick={() => onOpen(row, 'repeat')}
        />
      </>
    ),
  })),
];
