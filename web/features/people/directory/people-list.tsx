import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { USER_ROLES_ROLE } from '#shared/database.values.ts';
import { formatPhone } from '#shared/phone.ts';
import { mayManagePeople } from '#shared/screens.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { choice, type Filter } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { Avatar } from '#web/components/ui/avatar.tsx';
import { Badge, StatusBadge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, formatTimeRange, formatWeekday } from '#web/lib/format/dates.ts';
import { personPhotoQuery } from '#web/lib/photos/person-photo.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { PEOPLE_STATES, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { missingOf, peopleList, rolesOf } from './api.ts';
import { MISSING, MISSING_LABELS, type PersonRow } from './schema.ts';
import type { PeopleSearch } from './search.ts';

function Face({ row }: { row: PersonRow }) {
  const { data } = useQuery(personPhotoQuery(row.photo_path));
  return (
    <span aria-hidden="true" className="contents">
      <Avatar name={row.name} photo={data} className="size-9 text-xs" />
    </span>
  );
}

function NextDuty({ row }: { row: PersonRow }) {
  const { next_start, next_end, next_site, next_timezone } = row;
  if (next_start === null || next_end === null || next_timezone === null) return '-';
  return (
    <span className="grid py-0.5">
      <span className="tabular-nums">
        {formatWeekday(next_start, next_timezone).split(',')[0]},{' '}
        {formatTimeRange(next_start, next_end, next_timezone)}
      </span>
      <span className="text-sm text-muted">{next_site}</span>
    </span>
  );
}

const columns: Column<PersonRow>[] = [
  {
    header: 'Name',
    card: 'title',
    sort: 'name',
    className: 'font-semibold',
    cell: (row) => (
      <span className="flex items-center gap-3 py-1">
        <Face row={row} />
        <PersonLink id={row.id} name={row.name} />
      </span>
    ),
  },
  {
    header: 'Phone',
    className: 'whitespace-nowrap tabular-nums',
    cell: (row) =>
      row.phone ? (
        <a
          href={`tel:${row.phone}`}
          className={buttonStyles({ variant: 'link', className: '-my-2.5' })}
        >
          {formatPhone(row.phone)}
        </a>
      ) : (
        '-'
      ),
  },
  { header: 'Roles', cell: (row) => rolesOf(row) || '-' },
  { header: 'Next Duty', sort: 'next', cell: (row) => <NextDuty row={row} /> },
  {
    header: 'Missing',
    className: 'min-w-32',
    cell: (row) =>
      row.missing.length === 0 ? '-' : <span className="text-warning">{missingOf(row)}</span>,
  },
  {
    header: 'Status',
    card: 'aside',
    cell: (row) =>
      row.state === 'leaving' && row.left_on !== null ? (
        <Badge tone="orange">Leaves {formatDay(row.left_on)}</Badge>
      ) : (
        <StatusBadge status={row.state} />
      ),
  },
];

const FILTERS: Filter<keyof PeopleSearch>[] = [
  choice('role', 'Role', 'All roles', toOptions(USER_ROLES_ROLE, ROLE_LABELS)),
  choice('state', 'Status', 'Working here', [
    ...toOptions(PEOPLE_STATES, STATUS_LABELS),
    ['everybody', 'Everybody'],
  ]),
  choice('missing', 'Missing', 'Complete or not', [
    ['any', 'Something missing'],
    ...toOptions(MISSING, MISSING_LABELS),
  ]),
];

type PeopleListProps = { search: PeopleSearch; onChange: ChangeSearch<PeopleSearch> };

export function PeopleList({ search, onChange }: PeopleListProps) {
  const { roles } = useAuth();
  return (
    <ListScreen
      {...peopleList.useScreen(search, onChange)}
      title="People"
      subtitle="Everybody: where they are next, and what their record lacks."
      buttons={
        mayManagePeople(roles) && (
          <Link to="/admin/people/new" className={buttonStyles()}>
            <UserPlus aria-hidden="true" className="size-4.5" />
            Hire a Person
          </Link>
        )
      }
      searchLabel="Search by name, phone or email"
      filters={FILTERS}
      noMatch="No people match"
      dense
      Table={TableRows}
      columns={columns}
    />
  );
}
