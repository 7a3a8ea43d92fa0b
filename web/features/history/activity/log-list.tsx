import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import type { Filter } from '#web/components/list/filters.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { ClearFilters, ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { LogPager } from '#web/components/list/log-pager.tsx';
import { MomentText } from '#web/components/text/date-text.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import type { LogPage } from '#web/lib/data/log-page.ts';
import type { ActivitySearch } from './schema.ts';

type LogRow = {
  id: string;
  at: string;
  actor_id: string | null;
  actor_email: string | null;
};

/** @param noPerson shown in rows without a person */
export const whenAndWho = <Row extends LogRow>(noPerson: string): Column<Row>[] => [
  {
    header: 'When',
    card: 'title',
    className: 'whitespace-nowrap',
    cell: (row) => <MomentText at={row.at} />,
  },
  {
    header: 'Person',
    className: '[overflow-wrap:anywhere]',
    cell: (row) => <PersonLink id={row.actor_id} name={row.actor_email ?? noPerson} />,
  },
];

const PERSON: Filter = {
  kind: 'person',
  key: 'person',
  label: 'Person',
  all: 'Everyone',
  searchLabel: 'Search people',
};

const DAYS: Filter[] = [
  { kind: 'day', key: 'from', label: 'From' },
  { kind: 'day', key: 'to', label: 'To' },
];

type LogListProps<Row extends { id: string }> = {
  search: ActivitySearch;
  onChange: ChangeSearch<ActivitySearch>;
  /** The log's own filters, between person and days. */
  filters: readonly Filter<keyof ActivitySearch>[];
  /** Between the filters and the table. */
  notice?: ReactNode;
  query: UseQueryResult<LogPage<Row>>;
  loading: string;
  label: string;
  columns: Column<Row>[];
  onOpen?: (row: Row) => void;
};

export function LogList<Row extends { id: string }>(props: LogListProps<Row>) {
  const { search, onChange, query } = props;
  const { before } = search;
  const filters: Filter[] = [PERSON, ...props.filters, ...DAYS];
  return (
    <>
      <ListToolbar search={search} onChange={onChange} filters={filters} />
      {props.notice}
      <ListStates
        query={query}
        loading={props.loading}
        isEmpty={({ rows }) => rows.length === 0 && before === undefined}
        empty={
          <>
            No entries match. Change the filters.
            <ClearFilters filters={filters} onChange={onChange} />
          </>
        }
      >
        {({ rows, older }) => (
          <>
            <DataTable
              dense
              label={props.label}
              columns={props.columns}
              rows={rows}
              rowId={({ id }) => id}
              onOpen={props.onOpen}
            />
            <LogPager
              before={before}
              older={older}
              busy={query.isFetching}
              onPage={(next) => onChange({ before: next })}
              onRefresh={() => void query.refetch()}
            />
          </>
        )}
      </ListStates>
    </>
  );
}
