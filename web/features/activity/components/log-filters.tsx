// The filters that both logs have: who did it, and when. The log's own ones stand between them.
import type { ReactNode } from 'react';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { FilterPicker } from '#web/components/list/filter-picker.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { usePeople, usePerson } from '#web/lib/data/people.ts';
import type { ActivitySearch } from '../schema.ts';

type LogFiltersProps = {
  search: ActivitySearch;
  /** Also begins at the newest page again. */
  onFilter: ChangeSearch<ActivitySearch>;
  children: ReactNode;
};

export function LogFilters({ search, onFilter, children }: LogFiltersProps) {
  const { data: person } = usePerson(search.person);
  return (
    <search className="mb-5 flex flex-wrap items-end gap-3">
      <FilterPicker
        label="Person"
        searchLabel="Search people"
        placeholder="Everybody"
        value={person ?? undefined}
        onChange={(choice) => onFilter({ person: choice?.id })}
        useChoices={usePeople}
      />
      {children}
      <div className="flex flex-wrap gap-3 max-lg:w-full">
        <DayFilter label="From" value={search.from} onChange={(from) => onFilter({ from })} />
        <DayFilter label="To" value={search.to} onChange={(to) => onFilter({ to })} />
      </div>
    </search>
  );
}
