// A row of the guards: where each works on each day, and the sums.
import { BadgeAlert, Moon, Pin, TreePalm } from 'lucide-react';
import { memo } from 'react';
import { rosterIndex } from '#shared/roster/effective.ts';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import type { GridState } from './grid-state.ts';
import type { BoardShift, GuardRow } from './roster-rows.ts';
import type { RosterStore } from './roster-store.ts';
import { guardTotals } from './roster-totals.ts';
import { type CellProps, cellAttributes, cellFrame, RowHead } from './row-head.tsx';
import { useTopics } from './topics.ts';

type DutyProps = {
  shift: BoardShift;
  isDraft: boolean;
  isPinned: boolean;
  isLocked: boolean;
  isNarrow: boolean;
};

const Duty = memo(function Duty({ shift, isDraft, isPinned, isLocked, isNarrow }: DutyProps) {
  const { site, post, hours, isNight } = shift;
  return (
    <span
      data-shift={shift.id}
      className={cn(
        'flex min-h-0 min-w-0 flex-1 flex-col justify-center overflow-hidden rounded-xs border-l-3 px-1.5 text-xs leading-[1.2]',
        'cursor-grab border-success/70 bg-ink/4',
        isDraft && 'border-accent-fill bg-accent-fill/12',
        isLocked && 'cursor-default border-line text-muted',
        isNarrow && 'items-center px-0',
      )}
    >
      <span className="flex items-center gap-1 truncate font-semibold tabular-nums">
        {isNight && <Moon aria-hidden="true" className="size-3 shrink-0" />}
        {!isNarrow && <span className="truncate">{hours}</span>}
        {isNarrow && !isNight && hours.split(' ')[0]}
        {isPinned && <Pin aria-hidden="true" className="size-3 shrink-0 text-accent" />}
      </span>{' '}
      {!isNarrow && <span className="truncate text-muted">{`${site.name}, ${post}`}</span>}
    </span>
  );
});

type DayCellProps = CellProps & {
  guardId: string;
  store: RosterStore;
  /** Ids, so that an unchanged cell is not rendered again. */
  shifts: string;
  /** Changes with the draft and the pins of these shifts. */
  marks: string;
  leave: boolean;
  label: string;
  isNarrow: boolean;
};

const DayCell = memo(function DayCell(props: DayCellProps) {
  const { guardId, store, shifts, leave, isNarrow } = props;
  const ids = shifts.split(' ').filter(Boolean);
  return (
    <div
      {...cellAttributes({ ...props, carries: ids.some((id) => !store.isLocked(id, guardId)) })}
      className={cn(
        cellFrame,
        'flex flex-col gap-px p-0.5',
        leave &&
          'bg-[repeating-linear-gradient(135deg,transparent_0_6px,color-mix(in_oklab,var(--info)_14%,transparent)_6px_8px)]',
      )}
    >
      {ids.slice(0, 2).map((id) => {
        const shift = store.index.shifts.get(id);
        return (
          shift && (
            <Duty key={id} shift={shift} isNarrow={isNarrow} {...store.seatState(id, guardId)} />
          )
        );
      })}
      {leave && ids.length === 0 && (
        <span className="flex h-full items-center justify-center gap-1 text-xs text-info">
          <TreePalm aria-hidden="true" className="size-3.5 shrink-0" />
          {!isNarrow && 'Leave'}
        </span>
      )}
    </div>
  );
});

type GuardRowProps = { row: GuardRow; store: RosterStore; state: GridState; isNarrow: boolean };

const STEPS = ['bg-success', 'bg-warning', 'bg-danger'] as const;

export function GuardRowCells({ row, store, state, isNarrow }: GuardRowProps) {
  const { person } = row;
  useTopics(state.topics, row.key);
  useTopics(store.topics, `guard ${person.id}`);
  const { days, shifts } = store.index;
  const { week_hours } = store.input.rules;
  const totals = guardTotals(store, person.id);
  const allowed = week_hours * Math.ceil(days.length / 7);
  const { calendar, courses } = rosterIndex(store.input);
  const until = calendar.startOf(Date.parse(`${store.input.to}T00:00:00Z`) / 86_400_000 + 1);
  const expiring = Object.entries(person.certificates)
    .filter(([, expires]) => expires < until)
    .map(([course]) => courses.get(course) ?? 'Certificate');
  const byDay = days.map(() => [] as string[]);
  for (const id of store.effective.shiftsOf(person.id)) {
    const shift = shifts.get(id);
    if (shift) byDay[shift.column]?.push(id);
  }
  const tone = totals.isOver ? STEPS[2] : totals.overtime > 0 ? STEPS[1] : STEPS[0];
  return (
    <>
      <RowHead row={row} state={state} className="flex-col items-stretch justify-center gap-0.5">
        <span className="flex items-center justify-between gap-2">
          <span className="min-w-0 truncate font-semibold">
            <PersonLink id={person.id} name={person.name} tabIndex={-1} />
          </span>
          {expiring.length > 0 && (
            <span
              title={`Expired or expiring: ${expiring.join(', ')}`}
              className="shrink-0 text-warning"
            >
              <BadgeAlert aria-hidden="true" className="size-4" />
              <span className="sr-only">{`Expired or expiring: ${expiring.join(', ')}`}</span>
            </span>
          )}
        </span>
        <span className="flex items-center gap-2 text-xs whitespace-nowrap text-muted tabular-nums">
          <span
            aria-hidden="true"
            className="h-1.5 w-12 shrink-0 overflow-hidden rounded-full bg-ink/12"
          >
            <span
              className={cn('block h-full', tone)}
              style={{ width: `${Math.min(100, (totals.hours / allowed) * 100)}%` }}
            />
          </span>
          <span>{Math.round(totals.hours)} h</span>
          {totals.overtime > 0 && (
            <span className={totals.isOver ? 'text-danger' : 'text-warning'}>
              +{Math.round(totals.overtime)} h over
            </span>
          )}
          {totals.nights > 0 && (
            <span className="flex items-center gap-0.5">
              <Moon aria-hidden="true" className="size-3" />
              {totals.nights}
              <span className="sr-only"> nights</span>
            </span>
          )}
        </span>
      </RowHead>
      {byDay.map((ids, column) => {
        const day = days[column] ?? '';
        const onLeave = person.leave.some(([from, to]) => from <= day && day <= to);
        const texts = ids.map((id) => {
          const shift = shifts.get(id);
          return shift && `${shift.hours} ${shift.site.name}, ${shift.post}`;
        });
        return (
          <DayCell
            key={day}
            row={row.key}
            column={column}
            isActive={state.isActive(row.key, column)}
            isSelected={state.isSelected(row.key, column)}
            guardId={person.id}
            store={store}
            shifts={ids.join(' ')}
            marks={ids.map((id) => JSON.stringify(store.seatState(id, person.id))).join()}
            leave={onLeave}
            label={[
              person.name,
              formatDayOfWeek(day),
              onLeave && 'on leave',
              ...(texts.length ? texts : ['free']),
            ]
              .filter(Boolean)
              .join(', ')}
            isNarrow={isNarrow}
          />
        );
      })}
    </>
  );
}
