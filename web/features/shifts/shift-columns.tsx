import { Repeat, UserPlus } from 'lucide-react';
import { columnsOf, RowActions } from '#web/components/list/columns.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { foreignZone } from '#web/lib/format/dates.ts';
import type { Shift, ShiftTab } from './shift-schema.ts';
import { formatShift, isRunning } from './shift-times.ts';
import { absencesOf, gapOf, staffingOf } from './staffing.ts';

type Actions = {
  onOpen: (shift: Shift, tab?: ShiftTab) => void;
  /** Undefined when the user may not delete shifts. */
  onDelete: ((shift: Shift) => void) | undefined;
};

/** For screen readers and messages. */
export const shiftName = (shift: Shift) => `${shift.site_name}, ${formatShift(shift)}`;

export const shiftColumns = ({ onOpen, onDelete }: Actions) =>
  columnsOf<Shift>((column) => [
    column.display({
      id: 'time',
      header: 'Date & Time',
      meta: { card: 'title', className: 'min-w-52', sort: 'time' },
      cell: ({ row: { original } }) => (
        <span className="tabular-nums">
          {formatShift(original)}
          {isRunning(original) && (
            <span className="block text-sm font-normal text-muted">Running now</span>
          )}
          {foreignZone(original.timezone) && (
            <span className="block text-sm font-normal text-muted">
              {foreignZone(original.timezone)}
            </span>
          )}
        </span>
      ),
    }),
    column.display({
      id: 'site',
      header: 'Site',
      meta: { sort: 'site' },
      cell: ({ row: { original } }) => (
        <>
          {original.site_name}
          <span className="block text-sm text-muted max-lg:hidden">{original.client_name}</span>
        </>
      ),
    }),
    column.display({
      id: 'staffing',
      header: 'Staffing',
      meta: { className: 'whitespace-nowrap', sort: 'staffing' },
      cell: ({ row: { original } }) => (
        <>
          <span className="font-semibold tabular-nums">
            {original.assigned}/{original.required_headcount}
          </span>
          <span className="text-sm text-muted max-lg:ml-2 lg:block">
            {[gapOf(original), absencesOf(original)].filter(Boolean).join(', ')}
          </span>
        </>
      ),
    }),
    column.display({
      id: 'status',
      header: 'Status',
      meta: { card: 'aside' },
      cell: ({ row: { original } }) => <StatusBadge status={staffingOf(original)} />,
    }),
    column.display({
      id: 'notes',
      header: 'Notes',
      cell: ({ row: { original } }) => (
        <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
          {original.notes ?? '-'}
        </span>
      ),
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { card: 'actions', className: 'text-right' },
      cell: ({ row: { original } }) => (
        <RowActions
          name={shiftName(original)}
          onEdit={() => onOpen(original)}
          onDelete={onDelete && (() => onDelete(original))}
        >
          <Button
            variant="ghost"
            size="icon"
            title="Assign guards"
            aria-label={`Assign guards to ${shiftName(original)}`}
            onClick={() => onOpen(original, 'guards')}
          >
            <UserPlus aria-hidden="true" className="size-4" />
          </Button>
          <Button
            variant="ghost"
            size="icon"
            title="Repeat"
            aria-label={`Repeat ${shiftName(original)}`}
            onClick={() => onOpen(original, 'repeat')}
          >
            <Repeat aria-hidden="true" className="size-4" />
          </Button>
        </RowActions>
      ),
    }),
  ]);
