import { ListFilter, PanelRight } from 'lucide-react';
import { memo, startTransition, useDeferredValue, useMemo, useRef, useState } from 'react';
import { EmptyList } from '#web/components/list/empty-list.tsx';
import { ListButtons } from '#web/components/list/list-buttons.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { today } from '#web/lib/format/dates.ts';
import { BoardGrid, type Selection } from './board-grid.tsx';
import { DayList } from './day-list.tsx';
import { StatusLine, useEngine } from './engine/engine-bar.tsx';
import type { CellAt } from './grid-state.ts';
import { GuardDayDialog } from './guard-day-dialog.tsx';
import { OverrideDialog } from './override-dialog.tsx';
import { HistoryButtons, PublishControls } from './plan-actions.tsx';
import { PrintTable } from './print-table.tsx';
import { SITES_OF_BOARD } from './roster-api.ts';
import { exportRoster } from './roster-export.ts';
import { isOverridable, type Plan, seatAt } from './roster-moves.ts';
import type { BoardShift } from './roster-rows.ts';
import { isUnfiltered, type RosterSearch, toSpan } from './roster-schema.ts';
import type { RosterSession } from './roster-session.ts';
import type { RosterStore } from './roster-store.ts';
import { RosterFilters, WeekControls } from './roster-toolbar.tsx';
import { boardTotals, NO_TOTALS } from './roster-totals.ts';
import { SeatDialog } from './seat-dialog.tsx';
import { SidePanel } from './side-panel.tsx';
import { useTopics } from './topics.ts';
import { TotalsLine } from './totals-line.tsx';
import { useBoardRows } from './use-board-rows.ts';
import { useRoster } from './use-roster.ts';

type RosterBoardProps = { search: RosterSearch; onChange: ChangeSearch<RosterSearch> };

export function RosterBoard({ search, onChange }: RosterBoardProps) {
  const { week, weeks, page, site, client, supervisor, q, view } = search;
  const span = useMemo(() => {
    const { from, to } = toSpan({ week, weeks });
    return { from, to };
  }, [week, weeks]);
  const part = useMemo(
    () => ({ page, site, client, supervisor, q: view === 'guards' ? undefined : q }),
    [page, site, client, supervisor, q, view],
  );
  const { query, session, preview, isPartial } = useRoster(span, part, isUnfiltered(search));
  const shown = session ?? preview;
  const isPreview = session === undefined;
  const isFolded = useMediaQuery('(width < 64rem)');
  const filters = <RosterFilters search={search} onChange={onChange} board={query.data} />;
  return (
    <div className="flex flex-col gap-3 md:-mt-3 md:-mb-6 md:h-[calc(100dvh-var(--top-bar)-4.75rem)] md:min-h-[34rem] compact:-my-1 print:h-auto">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <h2 className="font-display text-2xl leading-tight">Roster</h2>
        <div className="contents print:hidden">
          <WeekControls search={search} onChange={onChange} />
        </div>
        {shown && (
          // The preview's takes the place of the board's.
          <div className={isPreview ? 'invisible contents' : 'contents'} inert={isPreview}>
            <PublishControls session={shown} span={span} isPartial={isPartial} />
          </div>
        )}
      </div>
      {isFolded ? (
        <details className="print:hidden">
          <summary className="flex min-h-11 cursor-pointer items-center gap-2 text-sm font-semibold">
            <ListFilter aria-hidden="true" className="size-4.5" />
            Search and filters
          </summary>
          {filters}
        </details>
      ) : (
        <div className="-mb-3 compact:-mb-1 lg:[&>search>div]:min-w-0 lg:[&>search>div]:grow lg:[&>search>div]:basis-36 lg:[&>search>div:last-child]:basis-28 lg:[&_:is(select,button,input)]:text-sm">
          {filters}
        </div>
      )}
      {(session || !preview) && (
        <Loaded
          query={query}
          loadingText="Loading the roster..."
          missing="The roster could not be loaded"
        >
          {() => null}
        </Loaded>
      )}
      {shown && (
        <div className="contents" inert={isPreview} aria-busy={isPreview}>
          <Board
            key={[span.from, span.to, ...(isPartial ? Object.values(part) : [])].join(' ')}
            session={shown}
            search={search}
            onChange={onChange}
          />
        </div>
      )}
      {isPartial && query.data && (
        <div className="-mt-4 print:hidden">
          <Pager
            page={page ?? 1}
            pageSize={SITES_OF_BOARD}
            total={query.data.sites_found}
            noun="sites"
            onPage={(next) => onChange({ page: next === 1 ? undefined : next })}
          />
        </div>
      )}
    </div>
  );
}

const Grid = memo(BoardGrid);

/**
 * The column that a phone shows: the chosen day; else, of gaps alone, the first day that had one when the list was opened, so
 * that a filled seat changes no day under the thumb; else today, or the first day.
 */
function useShownColumn({ index }: RosterStore, search: RosterSearch, gapsOn: readonly number[]) {
  const [firstGap, setFirstGap] = useState<string>();
  const wantsGaps = search.gaps === 'open' && search.view !== 'guards';
  const found = index.days.find((_, column) => (gapsOn[column] ?? 0) > 0);
  const isKept = firstGap !== undefined && index.days.includes(firstGap);
  if (wantsGaps && !isKept && found) setFirstGap(found);
  if (!wantsGaps && firstGap) setFirstGap(undefined);
  return Math.max(index.days.indexOf(search.day ?? firstGap ?? today()), 0);
}

/** Figures of all sites are left out of a preview. */
function Board({ session, search, onChange }: RosterBoardProps & { session: RosterSession }) {
  const { store } = session;
  const { isPreview } = store;
  const isEmpty = !isPreview && store.index.shifts.size === 0;
  const isPhone = useMediaQuery('(width < 48rem)');
  const isCoarse = useMediaQuery('(pointer: coarse)');
  const canPanel = useMediaQuery('(width >= 64rem)');
  const isWide = useMediaQuery('(width >= 100rem)');
  const [panel, setPanel] = useState<boolean>();
  const hasPanel = canPanel && (panel ?? isWide);
  const shown = useDeferredValue(search);
  const { rows, isShown } = useBoardRows(store, shown);
  // After the cells: sums of a thousand shifts must not hold up a drop.
  const version = useDeferredValue(useTopics(store.topics, 'totals'));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store changes with its version.
  const totals = useMemo(
    () => (store.isPreview ? NO_TOTALS : boardTotals(store, isShown)),
    [store, isShown, version],
  );
  const engine = useEngine(session);
  const [opened, setOpened] = useState<CellAt>();
  const [refused, setRefused] = useState<Plan>();
  const [selection, setSelection] = useState<Selection>({ cells: [], shiftIds: [] });
  const gapsKey = totals.gapsOn.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same array while its numbers are the same.
  const gapsOn = useMemo(() => totals.gapsOn, [gapsKey]);

  const idsOf = (keeps: (shift: BoardShift) => boolean) =>
    [...store.index.shifts.values()]
      .filter((shift) => isShown(shift) && keeps(shift))
      .map(({ id }) => id);
  const act = {
    refuse(plan: Plan) {
      const [problem] = plan.problems;
      if (problem && isOverridable(plan.problems)) startTransition(() => setRefused(plan));
      else if (problem) {
        const name = store.index.people.get(problem.userId)?.name;
        showError('Not possible', name ? `${name}: ${problem.message}` : problem.message);
      }
    },
    open: (cell: CellAt) => startTransition(() => setOpened(cell)),
    fillSite: (siteId: string) =>
      void engine.start(
        'fill',
        idsOf(({ site_id }) => site_id === siteId),
      ),
    fillDay: (day: number) =>
      void engine.start(
        'fill',
        idsOf(({ column }) => column === day),
      ),
    select: (next: Selection) => startTransition(() => setSelection(next)),
  };
  const latest = useRef(act);
  latest.current = act;
  const stable = useMemo(
    () => ({
      onRefused: (plan: Plan) => latest.current.refuse(plan),
      onOpen: (cell: CellAt) => latest.current.open(cell),
      onFillSite: (siteId: string) => latest.current.fillSite(siteId),
      onFillDay: (column: number) => latest.current.fillDay(column),
      onSelect: (next: Selection) => latest.current.select(next),
    }),
    [],
  );
  const side = useMemo(
    () =>
      hasPanel &&
      !isPreview && (
        <SidePanel
          session={session}
          isGuards={search.view === 'guards'}
          selection={selection}
          rows={rows}
          isShown={isShown}
          onRefused={stable.onRefused}
        />
      ),
    [hasPanel, isPreview, search.view, isShown, selection, rows, session, stable],
  );

  const openRow = rows.find(({ key }) => key === opened?.row);
  const seat = opened && seatAt(openRow, opened.column);
  const day = useShownColumn(store, search, gapsOn);
  return (
    <>
      <StatusLine
        engine={engine}
        session={session}
        shiftsShown={() => idsOf(() => true)}
        selected={selection.shiftIds}
        totals={
          <div className={isPreview ? 'invisible contents' : 'contents'}>
            <TotalsLine totals={totals} />
          </div>
        }
      >
        <HistoryButtons session={session} />
        {canPanel && (
          <Button
            variant="secondary"
            size="icon"
            aria-pressed={hasPanel}
            aria-label={search.view === 'guards' ? 'List of open shifts' : 'List of guards'}
            title={search.view === 'guards' ? 'List of open shifts' : 'List of guards'}
            className="aria-pressed:bg-sunken"
            onClick={() => setPanel(!hasPanel)}
          >
            <PanelRight aria-hidden="true" className="size-4.5" />
          </Button>
        )}
        <ListButtons isNarrow exportRecords={(format) => exportRoster(store, isShown, format)} />
      </StatusLine>
      {isEmpty && (
        <EmptyNote>
          <EmptyList noun="roster" />
        </EmptyNote>
      )}
      <PrintTable store={store} rows={rows} />
      {isEmpty && rows.length === 0 ? null : isPhone ? (
        <DayList
          store={store}
          rows={rows}
          column={day}
          gapsOn={isPreview || isEmpty || search.view === 'guards' ? undefined : gapsOn}
          onDay={(next) => onChange({ day: next })}
          onOpen={stable.onOpen}
        />
      ) : (
        <>
          <Grid
            session={session}
            rows={rows}
            isCoarse={isCoarse}
            gapsOn={isPreview || isEmpty ? undefined : gapsOn}
            side={side}
            {...stable}
          />
          <Keys isCoarse={isCoarse} />
        </>
      )}
      {opened && seat && (
        <SeatDialog session={session} {...seat} onClose={() => setOpened(undefined)} />
      )}
      {search.open && store.index.shifts.has(search.open) && (
        <SeatDialog
          session={session}
          shiftId={search.open}
          seat={Math.max(store.seatsOf(search.open).indexOf(undefined), 0)}
          onClose={() => onChange({ open: undefined })}
        />
      )}
      {opened && openRow?.kind === 'guard' && opened.column >= 0 && (
        <GuardDayDialog
          session={session}
          guardId={openRow.person.id}
          column={opened.column}
          onClose={() => setOpened(undefined)}
        />
      )}
      {refused && (
        <OverrideDialog
          name={store.index.people.get(refused.problems[0]?.userId ?? '')?.name ?? ''}
          problems={refused.problems}
          onConfirm={(override_reason) => {
            const moves = refused.edit.moves.map((move) =>
              move.on ? { ...move, override_reason } : move,
            );
            void session.edit({ ...refused.edit, moves });
            setRefused(undefined);
          }}
          onClose={() => setRefused(undefined)}
        />
      )}
    </>
  );
}

/** The keys of the grid; its description for screen readers too. */
function Keys({ isCoarse }: { isCoarse: boolean }) {
  return (
    <p id="roster-keys" className="-mt-1 truncate text-xs text-muted print:hidden">
      {isCoarse
        ? 'Tap a cell to fill or change it. Hold a name and drag it to move it.'
        : 'Double-click or Enter: fill or change · Drag or Space: move · Ctrl+C, Ctrl+V: copy, paste · Delete: remove · P: pin · Ctrl+Z: undo'}
    </p>
  );
}
