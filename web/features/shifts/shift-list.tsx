import { useMemo } from 'react';
import { formatCount } from '#shared/count.ts';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { FilterPicker } from '#web/components/list/filter-picker.tsx';
import { FilterSelect, ListToolbar, SiteFilter } from '#web/components/list/filters.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { usePeople, usePerson } from '#web/lib/data/lookups.ts';
import { type ShiftFilters, useShifts, useShiftTotals } from './shift-api.ts';
import { shiftColumns } from './shift-columns.tsx';
import {
  dayIn,
  type Shift,
  type ShiftSearch,
  STAFFING_FILTER_LABELS,
  STAFFING_FILTERS,
} from './shift-schema.ts';
import { shiftCount } from './staffing.ts';

const STAFFING_OPTIONS = STAFFING_FILTERS.map(
  (value) => [value, STAFFING_FILTER_LABELS[value]] as const,
);

function Totals({ filters }: { filters: ShiftFilters }) {
  const { data } = useShiftTotals(filters);
  return (
    <p role="status" className="mb-3 min-h-6 text-sm text-muted tabular-nums">
      {data &&
        `${shiftCount(data.shifts)}, ${formatCount(data.assigned)} of ${formatCount(data.required)} guards assigned`}
    </p>
  );
}

type ShiftListProps = {
  search: ShiftSearch;
  onChange: ChangeSearch<ShiftSearch>;
  onDelete: ((shift: Shift) => void) | undefined;
};

export function ShiftList({ search, onChange, onDelete }: ShiftListProps) {
  const { q, site, staffing, guard, day, sort, page = 1 } = search;
  const filters = { q, site, staffing, guard, day };
  const { data: person } = usePerson(guard);
  const query = useShifts({ ...filters, sort, page });
  const columns = useMemo(
    () => shiftColumns({ onOpen: ({ id }, tab) => onChange({ open: id, tab }), onDelete }),
    [onChange, onDelete],
  );
  const narrow = (change: Partial<ShiftSearch>) => onChange({ ...change, page: undefined });
  return (
    <>
      <ListToolbar
        searchLabel="Search shifts"
        search={q ?? ''}
        onSearch={(text) => narrow({ q: text || undefined })}
      >
        <SiteFilter value={site} onChange={(value) => narrow({ site: value })} />
        <FilterSelect
          label="Status"
          all="All statuses"
          options={STAFFING_OPTIONS}
          value={staffing}
          onChange={(value) => narrow({ staffing: value })}
        />
        <FilterPicker
          label="Guard"
          searchLabel="Search guards"
          placeholder="All guards"
          value={person ?? undefined}
          onChange={(choice) => narrow({ guard: choice?.id })}
          useChoices={usePeople}
        />
        <DayFilter
          label="Day"
          clearLabel="All upcoming shifts"
          value={dayIn(search)}
          onChange={(value) => narrow({ day: value })}
        />
      </ListToolbar>
      <Totals filters={filters} />
      <PagedTable
        query={query}
        loading="Loading shifts..."
        empty="No shifts found"
        room={54}
        label="Upcoming Shifts"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={({ id }) => onChange({ open: id })}
        page={page}
        sort={sort}
        onChange={onChange}
      />
    </>
  );
}
