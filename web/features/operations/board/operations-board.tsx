import { MapPin, X } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo } from 'react';
import { ScreenFailure } from '#web/components/layout/screen.tsx';
import { SkipLink } from '#web/components/layout/skip-link.tsx';
import { type Filter, nameChoice } from '#web/components/list/filters.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import { cn } from '#web/lib/cn.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { AlarmControls } from './alarm-controls.tsx';
import {
  type Board,
  type BoardRow,
  countRows,
  filteredRows,
  listRegions,
  rowsInState,
  toBoardRows,
} from './board-rows.ts';
import { ConnectionAlert, ConnectionMark } from './connection-line.tsx';
import { OperationsMap } from './operations-map.tsx';
import type { Guard } from './operations-schema.ts';
import type { OperationsSearch } from './operations-search.ts';
import { PostBars } from './post-bars.tsx';
import { ShiftDetail } from './shift-detail.tsx';
import { StateCounts, StateWords } from './state-counts.tsx';
import { useLiveBoard, useNow } from './use-live-board.ts';

/** Passed to parts of the board: its time, and which sites its filters show. */
export type BoardView = { now: number; isSiteShown: (siteId: string) => boolean };

type BoardProps = {
  /** Whether the height of the alerts is known: the map is below them, and in one column everything else. */
  areAlertsKnown: boolean;
  search: OperationsSearch;
  onChange: ChangeSearch<OperationsSearch>;
  alerts: (view: BoardView) => ReactNode;
  /** Between the alerts and the map; on a phone below the posts. */
  log: ReactNode;
  /** In the heading: a handover that waits. */
  watch: ReactNode;
  /** Whether the height of the log is known: the map is below it. */
  isLogKnown: boolean;
  /** Who could stand in on a shift; in its details until it ends. */
  replacement: (shiftId: string) => ReactNode;
  /** Marks that a guard did not come. */
  noShow: (guard: Guard) => ReactNode;
};

const ONE_COLUMN = '(width < 64rem)';

const sortedOnce = (names: readonly string[]) => [...new Set(names)].sort();

/** Until the board comes, every filter keeps its place. */
function filtersOf(
  rows: readonly BoardRow[],
  board: Board | undefined,
  search: OperationsSearch,
): Filter[] {
  const part = board?.part;
  const { supervisor, region } = search;
  const regions = listRegions(part?.counties ?? rows.map(({ site }) => site.county));
  const clients = sortedOnce(part?.clients ?? rows.map(({ site }) => site.client));
  const supervisors = sortedOnce(part?.supervisors ?? rows.flatMap(({ site }) => site.supervisors));
  return [
    ...(regions.length > 0 || region || !board
      ? [nameChoice('region', 'Region', 'All regions', regions)]
      : []),
    ...(supervisors.length > 0 || supervisor || !board
      ? [nameChoice('supervisor', 'Supervisor', 'All supervisors', supervisors)]
      : []),
    nameChoice('client', 'Client', 'All clients', clients),
  ];
}

/** The operations room: every post of this watch and the next. */
export function OperationsBoard(props: BoardProps) {
  const { search, areAlertsKnown } = props;
  const { board, error, isLost, confirmedAt, reload } = useLiveBoard(search, search.open);
  const now = useNow(board?.offset ?? 0);
  const isOneColumn = useMediaQuery(ONE_COLUMN);
  const waiting = error ? (
    <ScreenFailure title="The board could not be loaded" error={error} onRetry={reload} />
  ) : (
    <Loading text="Loading the board..." />
  );
  return (
    <div className="flex flex-col gap-3 md:-mt-3 md:-mb-6 lg:h-[calc(100dvh-var(--top-bar)-4.75rem)] lg:min-h-[40rem] compact:-my-1">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2 sm:gap-x-4">
        <h2 className="font-display text-2xl leading-tight">Operations</h2>
        <p className="text-xl leading-tight font-semibold tabular-nums">
          <span className="sr-only">Time: </span>
          {formatTime(new Date(now).toISOString())}
        </p>
        <ConnectionMark isLost={isLost} confirmedAt={confirmedAt} />
        <StateWords />
        {props.watch}
        <AlarmControls />
      </div>
      <ConnectionAlert isLost={isLost} confirmedAt={confirmedAt} onRetry={reload} />
      {isOneColumn && !(board && areAlertsKnown) && !error ? (
        waiting
      ) : (
        // The alerts come sooner, and whether or not the posts do.
        <Content {...props} board={board} waiting={waiting} hasFailed={Boolean(error)} now={now} />
      )}
    </div>
  );
}

type ContentProps = BoardProps & {
  board: Board | undefined;
  /** In place of the posts until they come. */
  waiting: ReactNode;
  hasFailed: boolean;
  now: number;
};

const NO_ROWS: BoardRow[] = [];

function Content(props: ContentProps) {
  const { areAlertsKnown, board, waiting, hasFailed, now, search, onChange } = props;
  const { q, state, open, sites, supervisor, client, region } = search;
  const all = useMemo(() => (board ? toBoardRows(board, now) : NO_ROWS), [board, now]);
  const rows = useMemo(() => filteredRows(all, search), [all, search]);
  const shown = useMemo(() => (state ? rowsInState(rows, state) : rows), [rows, state]);
  // After the posts: the log, and the map below it.
  const placed = useDeferredValue(all);
  const onMap = useMemo(
    () => filteredRows(placed, { ...search, sites: undefined }),
    [placed, search],
  );
  const shift = open === undefined ? undefined : board?.shifts.get(open);
  const site = shift && board?.sites.get(shift.site_id);
  const chosen = sites?.split(',') ?? [];
  const first = board?.sites.get(chosen[0] ?? '');
  const isPhone = useMediaQuery('(width < 48rem)');
  const isOneColumn = useMediaQuery(ONE_COLUMN);
  const map = (
    <OperationsMap
      rows={onMap}
      chosen={chosen}
      onChoose={(ids) => onChange({ sites: ids.join(',') || undefined })}
    />
  );
  const isFiltered = Boolean(q || supervisor || client || region || sites);
  // Only the posts say which sites a filter shows; without them, all alerts are better than none.
  const isSiteShown = (siteId: string) =>
    !isFiltered || !board || rows.some((row) => row.site.id === siteId);
  return (
    <>
      {(board || !hasFailed) && (
        <div className={board ? 'contents' : 'invisible contents'} inert={!board}>
          <StateCounts
            counts={board?.part?.counts ?? countRows(rows)}
            chosen={state}
            onChoose={(next) => onChange({ state: next })}
          />
        </div>
      )}
      <div className="-mb-5 max-lg:order-2 max-lg:mt-1 compact:-mb-3">
        <ListToolbar
          search={search}
          onChange={onChange}
          searchLabel="Search posts and guards"
          filters={filtersOf(all, board, search)}
        >
          {first && (
            <Button
              variant="secondary"
              className="px-3"
              onClick={() => onChange({ sites: undefined })}
            >
              <MapPin aria-hidden="true" className="size-4.5" />
              {chosen.length > 1 ? `${chosen.length} sites` : first.name}
              <X aria-hidden="true" className="size-4" />
              <span className="sr-only">Show all sites</span>
            </Button>
          )}
        </ListToolbar>
      </div>
      {/* Phones and tablets read from top to bottom: alerts, filters, map, posts, log. By keyboard the alerts come before
      the many posts. */}
      <div className="flex min-h-0 flex-1 flex-col gap-3 max-lg:contents lg:flex-row">
        <SkipLink to="posts">Skip to posts</SkipLink>
        <div className="grid content-start gap-3 max-lg:contents lg:order-2 lg:w-72 lg:overflow-y-auto xl:w-80 grid-cols-1 2xl:w-96 min-[112rem]:w-[44rem] min-[112rem]:grid-cols-2">
          <div className="max-lg:order-1">
            {(board || hasFailed || !isFiltered) && props.alerts({ now, isSiteShown })}
          </div>
          <div className="grid grid-cols-1 content-start gap-3 max-lg:contents">
            {placed !== NO_ROWS && <div className="max-lg:order-5">{props.log}</div>}
            {isPhone ? (
              <details className="order-3">
                <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
                  <MapPin aria-hidden="true" className="size-4.5" />
                  Map of the sites
                </summary>
                {map}
              </details>
            ) : (
              areAlertsKnown &&
              (isOneColumn || props.isLogKnown) && <div className="max-lg:order-3">{map}</div>
            )}
          </div>
        </div>
        <div
          id="posts"
          tabIndex={-1}
          // A text above the alerts says that they are missing.
          className={cn(
            'flex min-h-0 min-w-0 flex-1 flex-col outline-none',
            board && 'max-lg:order-4',
          )}
        >
          {board ? (
            <PostBars
              rows={shown}
              total={board.part?.posts}
              now={now}
              isNarrowed={rows.length > 0 || isFiltered}
              onOpen={(shiftId) => onChange({ open: shiftId, alert: undefined })}
            />
          ) : (
            waiting
          )}
        </div>
      </div>
      {shift && site && (
        <ShiftDetail
          shift={shift}
          site={site}
          now={now}
          guardAction={props.noShow}
          onOpenAlert={(alert) => onChange({ open: undefined, alert })}
          onClose={() => onChange({ open: undefined })}
        >
          {Date.parse(shift.ends) > now && props.replacement(shift.id)}
        </ShiftDetail>
      )}
    </>
  );
}
