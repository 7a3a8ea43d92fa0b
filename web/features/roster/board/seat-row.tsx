import {
  CalendarOff,
  Check,
  CircleHelp,
  Lock,
  Moon,
  Pin,
  ShieldAlert,
  TriangleAlert,
  UserX,
} from 'lucide-react';
import { memo } from 'react';
import { problemsFor } from '#shared/roster/problems.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import type { GridState } from './grid-state.ts';
import type { SeatRow, SiteRow } from './roster-rows.ts';
import type { Absent, RosterStore } from './roster-store.ts';
import { countGaps } from './roster-totals.ts';
import { type CellProps, cellAttributes, cellFrame, RowHead } from './row-head.tsx';
import { useTopics } from './topics.ts';

/** @returns for example "MK", where a column is too narrow for names */
const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .map((word) => word[0] ?? '')
    .join('')
    .slice(0, 3);

const countedBids = (count: number) => (count === 1 ? '1 bid' : `${count} bids`);

const ABSENCE_ICONS = { leave: CalendarOff, no_show: UserX };

/** A seat without a guard: the name of who doesn't come, if there is one. */
function EmptySeat({ absentName, absence, isLocked, isNarrow, bids }: SeatCellProps) {
  if (isLocked && absentName === undefined) return '-';
  if (!isLocked && bids > 0) return isNarrow ? `+${bids}` : countedBids(bids);
  if (absentName === undefined || absence === undefined) return isNarrow ? '+' : 'Open';
  const Icon = ABSENCE_ICONS[absence];
  return (
    <span className={cn('flex min-w-0 items-center gap-1', isNarrow && 'justify-center')}>
      {!isNarrow && <Icon aria-hidden="true" className="size-3.5 shrink-0" />}
      <s className="min-w-0 truncate">{isNarrow ? initialsOf(absentName) : absentName}</s>
    </span>
  );
}

type SeatCellProps = CellProps & {
  hasShift: boolean;
  name: string | undefined;
  where: string;
  isNarrow: boolean;
  isDraft: boolean;
  isPinned: boolean;
  isConfirmed: boolean;
  isLocked: boolean;
  isOverride: boolean;
  /** Why the guard may no longer work here, such as leave that was approved later. */
  problem: string | undefined;
  /** Published here until the draft is. */
  before: string | undefined;
  /** Who should have come, and why not. */
  absentName: string | undefined;
  absence: Absent['absence'] | undefined;
  absentReason: string | undefined;
  /** How many guards ask for the shift. */
  bids: number;
  /** Why the last filling left it open. */
  whyOpen: string | undefined;
};

const SeatCell = memo(function SeatCell(props: SeatCellProps) {
  const { hasShift, name, isNarrow, isLocked } = props;
  const isGap = hasShift && name === undefined && !isLocked;
  const notes = [
    name ?? (hasShift ? (isLocked ? 'Was not filled' : 'Open') : 'No shift'),
    props.where,
    name !== undefined && props.isDraft && 'draft',
    props.isPinned && 'pinned',
    props.isConfirmed && 'confirmed by the guard',
    props.isOverride && 'assigned against a rule',
    props.problem && `not allowed: ${props.problem}`,
    isLocked && hasShift && 'can’t be changed',
    props.before && `published: ${props.before}`,
    props.absentName && `${props.absentName} ${props.absentReason}`,
    isGap && props.bids > 0 && countedBids(props.bids),
    isGap && props.whyOpen,
  ];
  return (
    <div
      {...cellAttributes({
        ...props,
        label: notes.filter(Boolean).join(', '),
        carries: name !== undefined && !isLocked,
      })}
      className={cn(cellFrame, 'p-0.5', !hasShift && 'bg-sunken/70')}
    >
      {hasShift && (
        <span
          className={cn(
            'flex h-full items-center gap-1 overflow-hidden rounded-xs border-l-3 px-1.5 text-[0.8125rem] whitespace-nowrap',
            isNarrow && 'justify-center px-0.5',
            name !== undefined && 'cursor-grab border-success/70 bg-ink/4',
            name !== undefined && props.isDraft && 'border-accent-fill bg-accent-fill/12',
            isGap && 'border-dashed border-danger bg-danger/9 font-semibold text-danger',
            isLocked && 'cursor-default border-line text-muted opacity-80',
          )}
        >
          <span className="min-w-0 flex-1 truncate">
            {name === undefined ? <EmptySeat {...props} /> : isNarrow ? initialsOf(name) : name}
          </span>
          {!isNarrow && isGap && props.whyOpen && (
            <CircleHelp aria-hidden="true" className="size-3.5 shrink-0" />
          )}
          {props.problem && (
            <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0 text-danger" />
          )}
          {!isNarrow && props.isOverride && (
            <ShieldAlert aria-hidden="true" className="size-3.5 shrink-0 text-warning" />
          )}
          {!isNarrow && props.isConfirmed && !isLocked && (
            <Check aria-hidden="true" className="size-3.5 shrink-0 text-success" />
          )}
          {props.isPinned && <Pin aria-hidden="true" className="size-3 shrink-0 text-accent" />}
          {!isNarrow && isLocked && <Lock aria-hidden="true" className="size-3 shrink-0" />}
        </span>
      )}
    </div>
  );
});

type RowProps<Row> = { row: Row; store: RosterStore; state: GridState; isNarrow: boolean };

export function SeatRowCells({ row, store, state, isNarrow }: RowProps<SeatRow>) {
  useTopics(state.topics, row.key);
  const guards = row.shifts.map((id) => id && store.seatsOf(id)[row.seat]);
  // Also the guards: what they do elsewhere may break a rule here.
  const topics = [
    ...row.shifts.flatMap((id) => (id === undefined ? [] : `shift ${id}`)),
    ...[...new Set(guards)].flatMap((id) => (id === undefined ? [] : `guard ${id}`)),
  ];
  useTopics(store.topics, topics.join('\n'));
  const place = `${row.post}, ${row.hours}`;
  return (
    <>
      <RowHead row={row} state={state}>
        <span
          className={cn('min-w-0 flex-1 truncate font-semibold', !row.isFirstOfPost && 'sr-only')}
        >
          {row.post}
        </span>
        <span className="ml-auto flex shrink-0 items-center gap-1 text-xs whitespace-nowrap text-muted tabular-nums">
          {row.isNight && <Moon aria-hidden="true" className="size-3" />}
          {row.hours}
        </span>
      </RowHead>
      {row.shifts.map((shiftId, column) => {
        const day = store.index.days[column] ?? '';
        const userId = guards[column];
        const seat =
          shiftId !== undefined && userId !== undefined
            ? store.seatState(shiftId, userId)
            : undefined;
        const removed =
          shiftId === undefined || seat?.isDraft === false ? [] : store.removedFrom(shiftId);
        const absent = shiftId === undefined ? undefined : store.absentAt(shiftId, row.seat);
        return (
          <SeatCell
            key={day}
            row={row.key}
            column={column}
            isActive={state.isActive(row.key, column)}
            isSelected={state.isSelected(row.key, column)}
            hasShift={shiftId !== undefined}
            name={seat?.name}
            where={`${place}, ${formatDayOfWeek(day)}`}
            isNarrow={isNarrow}
            isDraft={seat?.isDraft ?? false}
            isPinned={seat?.isPinned ?? false}
            isConfirmed={seat?.isConfirmed ?? false}
            isLocked={seat ? seat.isLocked : shiftId !== undefined && store.isOver(shiftId)}
            isOverride={seat?.isOverride ?? false}
            problem={
              shiftId === undefined || !seat || seat.isLocked || seat.isOverride || store.isPreview
                ? undefined
                : problemsFor(store.input, store.effective, seat.userId, shiftId)[0]?.message
            }
            absentName={absent?.name}
            absence={absent?.absence}
            absentReason={absent?.reason}
            bids={shiftId === undefined ? 0 : store.notes.bidsFor(shiftId).length}
            whyOpen={shiftId === undefined ? undefined : store.notes.whyOpen(shiftId)}
            before={
              removed.map((id) => store.index.people.get(id)?.name ?? '').join(', ') || undefined
            }
          />
        );
      })}
    </>
  );
}

type SiteRowProps = {
  row: SiteRow;
  store: RosterStore;
  shiftIds: readonly string[];
  onSelect: (siteId: string) => void;
  onFill: (siteId: string) => void;
};

export function SiteRowCells({ row, store, shiftIds, onSelect, onFill }: SiteRowProps) {
  useTopics(store.topics, shiftIds.map((id) => `shift ${id}`).join('\n'));
  const gaps = shiftIds.reduce((sum, id) => {
    const shift = store.index.shifts.get(id);
    return sum + (shift ? countGaps(store, shift) : 0);
  }, 0);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a virtualised grid can't be a table.
    // biome-ignore lint/a11y/useFocusableInteractive: a heading between the rows; what it offers is in the toolbar too.
    <div
      role="gridcell"
      aria-colspan={store.index.days.length + 1}
      className="col-span-full border-b border-line bg-sunken"
    >
      <div className="sticky left-0 flex h-full w-max max-w-[100cqw] items-center gap-2 pl-3 text-[0.8125rem]">
        <button
          type="button"
          tabIndex={-1}
          title={`Select all shifts of ${row.name}`}
          onClick={() => onSelect(row.siteId)}
          className="min-h-6 min-w-24 truncate font-display text-[0.9375rem] underline-offset-4 hover:underline"
        >
          {row.name}
        </button>
        <span className="min-w-0 truncate text-muted max-sm:hidden">{row.client}</span>
        {gaps > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            onClick={() => onFill(row.siteId)}
            className="min-h-6 shrink-0 rounded-full border border-danger/40 px-2 text-xs font-semibold text-danger hover:bg-danger/10"
          >
            {gaps} open · Fill
          </button>
        ) : (
          <span className="shrink-0 text-xs text-success">✓ Filled</span>
        )}
      </div>
    </div>
  );
}
