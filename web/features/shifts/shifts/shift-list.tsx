import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatCount } from '#shared/count.ts';
import { choice } from '#web/components/list/filters.tsx';
import { ListRows } from '#web/components/list/list-rows.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { useDraftedGuards, useDraftedSeats } from './draft-api.ts';
import { shiftActions } from './shift-actions.ts';
import { type ShiftFilters, shiftList, useShiftTotals } from './shift-api.ts';
import { shiftColumns } from './shift-columns.tsx';
import { type Shift, STAFFING_FILTER_LABELS } from './shift-schema.ts';
import { dayIn, type ShiftSearch, STAFFING_FILTERS } from './shift-search.ts';
import { shiftCount } from './staffing.ts';

const STAFFING = choice(
  'staffing',
  'Status',
  'All statuses',
  toOptions(STAFFING_FILTERS, STAFFING_FILTER_LABELS),
);

function Totals({ filters }: { filters: ShiftFilters }) {
  const { data } = useShiftTotals(filters);
  const drafted = useDraftedSeats(filters);
  return (
    <p role="status" className="mb-3 min-h-6 text-sm compact:mb-2 text-muted tabular-nums">
      {data &&
        `${shiftCount(data.shifts)}, ${formatCount(data.assigned)} of ${formatCount(data.required)} guards assigned`}
      {data && drafted !== undefined && drafted > 0 && (
        <>
          {'. '}
          <Link to="/admin/roster" className="font-semibold text-ink underline underline-offset-4">
            {formatCount(drafted)} more in the draft of the roster
          </Link>
          {', not published yet'}
        </>
      )}
    </p>
  );
}

type ShiftListProps = {
  search: ShiftSearch;
  onChange: ChangeSearch<ShiftSearch>;
  onDelete: ((shift: Shift) => void) | undefined;
};

export function ShiftList({ search, onChange, onDelete }: ShiftListProps) {
  const { q, site, staffing, guard, day } = search;
  const { roles } = useAuth();
  const listed = { ...search, week: undefined };
  const query = shiftList.usePage(listed);
  const drafted = useDraftedGuards((query.data?.rows ?? []).map(({ id }) => id));
  const columns = useMemo(
    () =>
      shiftColumns({
        draftedOf: ({ id }) => drafted?.get(id),
        onOpen: ({ id }, tab) => onChange({ open: id, tab }),
        onDelete,
      }),
    [drafted, onChange, onDelete],
  );
  return (
    <ListRows
      noun="shifts"
      label="Upcoming Shifts"
      isSearched
      search={search}
      onChange={onChange}
      query={query}
      source={shiftList.sourceOf(listed)}
      bulk={shiftActions(roles)}
      filters={[
        { kind: 'site', key: 'site' },
        STAFFING,
        {
          kind: 'person',
          key: 'guard',
          label: 'Guard',
          all: 'All guards',
          searchLabel: 'Search guards',
        },
        {
          kind: 'day',
          key: 'day',
          label: 'Day',
          clearLabel: 'All upcoming shifts',
          value: dayIn(search),
        },
      ]}
      notice={<Totals filters={{ q, site, staffing, guard, day }} />}
      noMatch="No shifts found"
      room={54}
      dense
      Table={TableRows}
      columns={columns}
      opens
    />
  );
}
