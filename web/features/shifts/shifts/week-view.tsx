import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DayButtons } from '#web/components/list/day-buttons.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { Pager, usePages } from '#web/components/list/pager.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Steps } from '#web/components/ui/steps.tsx';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatPeriod, today } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';
import type { ShiftSearch } from './shift-search.ts';
import { useGuardWeek, useWeek, WEEK_PAGE_SIZE } from './week-api.ts';
import { WeekDay } from './week-day.tsx';
import { DayGuards, WeekGuards } from './week-guards.tsx';
import { WeekTable } from './week-table.tsx';

type WeekViewProps = { search: ShiftSearch; onChange: ChangeSearch<ShiftSearch> };

type RowsProps = WeekViewProps & {
  monday: string;
  shown: string;
  show: (day: string) => void;
  isNarrow: boolean;
};

type PagesProps<Plan> = WeekViewProps & {
  query: UseQueryResult<Plan>;
  rowsOf: (plan: Plan) => readonly unknown[];
  empty: string;
  children: (plan: Plan) => ReactNode;
};

/** One page of rows, and the pager. */
function WeekPages<Plan extends { total: number }>(props: PagesProps<Plan>) {
  const { search, onChange, query, rowsOf, children } = props;
  const { page = 1 } = search;
  const answered = query.isPlaceholderData ? undefined : query.data;
  const rows = answered && { rows: rowsOf(answered), total: answered.total };
  const onPage = usePages(rows, page, WEEK_PAGE_SIZE, onChange);
  return (
    <ListStates
      query={query}
      loading="Loading the week..."
      isEmpty={(plan) => rowsOf(plan).length === 0}
      empty={props.empty}
    >
      {(plan) => (
        <>
          {children(plan)}
          <Pager page={page} pageSize={WEEK_PAGE_SIZE} total={plan.total} onPage={onPage} />
        </>
      )}
    </ListStates>
  );
}

/** A row for each site. */
function SiteRows({ search, onChange, monday, shown, show, isNarrow }: RowsProps) {
  const { q, site, page = 1 } = search;
  const query = useWeek({ q, site, page, monday });
  const openDay = (day: string, siteId?: string) =>
    onChange({
      view: undefined,
      week: undefined,
      page: undefined,
      q: undefined,
      day,
      site: siteId,
    });
  return (
    <WeekPages
      {...{ search, onChange, query }}
      rowsOf={({ sites }) => sites}
      empty="No sites found"
    >
      {(plan) =>
        isNarrow ? (
          <WeekDay plan={plan} monday={monday} day={shown} onDay={show} onOpen={openDay} />
        ) : (
          <WeekTable plan={plan} monday={monday} onOpen={openDay} />
        )
      }
    </WeekPages>
  );
}

/** A row for each guard. */
function GuardRows({ search, onChange, monday, shown, show, isNarrow }: RowsProps) {
  const { q, site, page = 1 } = search;
  const query = useGuardWeek({ q, site, page, monday });
  const open = (id: string) => onChange({ open: id });
  return (
    <WeekPages
      {...{ search, onChange, query }}
      rowsOf={({ guards }) => guards}
      empty="No guards found"
    >
      {(plan) =>
        isNarrow ? (
          <>
            <DayButtons monday={monday} day={shown} onDay={show} />
            <DayGuards plan={plan} day={shown} onOpen={open} />
          </>
        ) : (
          <WeekGuards plan={plan} monday={monday} onOpen={open} />
        )
      }
    </WeekPages>
  );
}

const ROWS = [
  { rows: undefined, label: 'Sites' },
  { rows: 'guards', label: 'Guards' },
] as const;

export function WeekView({ search, onChange }: WeekViewProps) {
  const { rows, week: shown = today() } = search;
  const monday = findMonday(shown);
  const isNarrow = useMediaQuery('(width < 64rem)');
  const show = (day: string) => onChange({ week: day === today() ? undefined : day });
  const Rows = rows === 'guards' ? GuardRows : SiteRows;
  return (
    <>
      <ListToolbar
        search={search}
        onChange={onChange}
        searchLabel={rows === 'guards' ? 'Search guards' : 'Search sites'}
        filters={[{ kind: 'site', key: 'site' }]}
      >
        <fieldset className="flex rounded-sm border border-line-strong">
          <legend className="sr-only">Rows</legend>
          {ROWS.map((each) => (
            <button
              key={each.label}
              type="button"
              aria-pressed={rows === each.rows}
              onClick={() => onChange({ rows: each.rows, q: undefined, page: undefined })}
              className="min-h-11 px-4 text-sm font-semibold aria-pressed:bg-primary aria-pressed:text-primary-ink"
            >
              {each.label}
            </button>
          ))}
        </fieldset>
        <div className="flex flex-wrap items-center gap-1">
          <Steps unit="week" variant="secondary" onStep={(step) => show(dayAfter(shown, 7 * step))}>
            <p role="status" className="min-w-44 text-center font-semibold tabular-nums">
              {formatPeriod(monday, dayAfter(monday, 6))}
            </p>
          </Steps>
          {monday !== findMonday(today()) && (
            <Button variant="ghost" onClick={() => show(today())}>
              This week
            </Button>
          )}
        </div>
      </ListToolbar>
      <Rows {...{ search, onChange, monday, shown, show, isNarrow }} />
    </>
  );
}
