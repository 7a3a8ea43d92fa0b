// The board on a phone: one day at a time, and a tap assigns.
import { Moon } from 'lucide-react';
import { DayButtons } from '#web/components/list/day-buttons.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { cn } from '#web/lib/cn.ts';
import { findMonday, formatDayOfWeek } from '#web/lib/format/days.ts';
import type { CellAt } from './grid-state.ts';
import type { BoardRow, GuardRow, SeatRow } from './roster-rows.ts';
import type { RosterStore } from './roster-store.ts';
import { guardTotals } from './roster-totals.ts';
import { useTopics } from './topics.ts';

type DayListProps = {
  store: RosterStore;
  rows: readonly BoardRow[];
  column: number;
  gapsOn: readonly number[] | undefined;
  onDay: (day: string) => void;
  onOpen: (cell: CellAt) => void;
};

export function DayList({ store, rows, column, gapsOn, onDay, onOpen }: DayListProps) {
  const day = store.index.days[column] ?? '';
  const monday = findMonday(day);
  const shown = rows.filter(
    (row) => row.kind === 'guard' || (row.kind === 'seat' && row.shifts[column] !== undefined),
  );
  const sites = new Map<string, SeatRow[]>();
  for (const row of shown) {
    if (row.kind !== 'seat') continue;
    sites.set(row.siteId, [...(sites.get(row.siteId) ?? []), row]);
  }
  return (
    <div>
      <DayButtons
        monday={monday}
        day={day}
        onDay={onDay}
        gapsOn={gapsOn?.slice(store.index.days.indexOf(monday))}
      />
      <h3 className="mb-3 font-display text-xl">{formatDayOfWeek(day)}</h3>
      {shown.length === 0 && <p className="text-muted">No shifts on this day.</p>}
      <ul aria-label={formatDayOfWeek(day)} className="grid gap-3">
        {[...sites].map(([siteId, seats]) => (
          <li
            key={siteId}
            className="[contain-intrinsic-size:auto_10rem] [content-visibility:auto]"
          >
            <Card className="p-3">
              <p className="mb-1 font-semibold [overflow-wrap:anywhere]">
                {store.index.sites.get(siteId)?.name}
              </p>
              <div className="grid grid-cols-1 gap-1.5">
                {seats.map((row) => (
                  <SeatButton
                    key={row.key}
                    row={row}
                    store={store}
                    column={column}
                    onOpen={onOpen}
                  />
                ))}
              </div>
            </Card>
          </li>
        ))}
        {shown.map(
          (row) =>
            row.kind === 'guard' && (
              <li
                key={row.key}
                className="[contain-intrinsic-size:auto_4rem] [content-visibility:auto]"
              >
                <GuardButton row={row} store={store} column={column} onOpen={onOpen} />
              </li>
            ),
        )}
      </ul>
    </div>
  );
}

type ButtonProps<Row> = Pick<DayListProps, 'store' | 'column' | 'onOpen'> & { row: Row };

function SeatButton({ row, store, column, onOpen }: ButtonProps<SeatRow>) {
  const shiftId = row.shifts[column] ?? '';
  useTopics(store.topics, `shift ${shiftId}`);
  const userId = store.seatsOf(shiftId)[row.seat];
  const seat = userId === undefined ? undefined : store.seatState(shiftId, userId);
  const isGap = !seat && !store.isOver(shiftId);
  const absent = store.absentAt(shiftId, row.seat);
  return (
    <button
      type="button"
      onClick={() => onOpen({ row: row.key, column })}
      className={cn(
        'flex min-h-12 items-center justify-between gap-3 rounded-xs border-l-3 bg-ink/4 px-3 text-left text-sm',
        seat ? 'border-success/70' : 'border-line',
        seat?.isDraft && 'border-accent-fill bg-accent-fill/12',
        isGap && 'border-dashed border-danger bg-danger/9 font-semibold text-danger',
      )}
    >
      <span className="min-w-0">
        <span className="block truncate">{seat?.name ?? (isGap ? 'Open' : 'Was not filled')}</span>
        {absent && (
          <span className="block text-xs font-normal text-muted">
            {`${absent.name} ${absent.reason}`}
          </span>
        )}
      </span>
      <span className="flex max-w-3/5 min-w-0 shrink-0 items-center gap-1 text-xs text-muted tabular-nums">
        {row.isNight && <Moon aria-hidden="true" className="size-3 shrink-0" />}
        <span className="truncate">{row.post}</span>
        <span className="shrink-0">{row.hours}</span>
      </span>
    </button>
  );
}

function GuardButton({ row, store, column, onOpen }: ButtonProps<GuardRow>) {
  const { person } = row;
  useTopics(store.topics, `guard ${person.id}`);
  const day = store.index.days[column] ?? '';
  const duties = [...store.effective.shiftsOf(person.id)].flatMap((id) => {
    const shift = store.index.shifts.get(id);
    return shift?.column === column ? [`${shift.hours}, ${shift.site.name}`] : [];
  });
  const onLeave = person.leave.some(([from, to]) => from <= day && day <= to);
  return (
    <button
      type="button"
      onClick={() => onOpen({ row: row.key, column })}
      className="w-full rounded-sm border border-line bg-raised px-3 py-2.5 text-left shadow-panel"
    >
      <span className="flex justify-between gap-3">
        <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">{person.name}</span>
        <span className="text-sm text-muted tabular-nums">
          {Math.round(guardTotals(store, person.id).hours)} h
        </span>
      </span>
      <span className="block text-sm text-muted">
        {duties.length > 0 ? duties.join('; ') : onLeave ? 'On leave' : 'Free'}
      </span>
    </button>
  );
}
