import { differenceInCalendarDays, parseISO } from 'date-fns';
import { useCallback } from 'react';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { useUndoableDelete } from '#web/components/form/undo-delete.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { choice, searchedChoice } from '#web/components/list/filters.tsx';
import { ListRows } from '#web/components/list/list-rows.tsx';
import { OpenedDialog } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { DayText } from '#web/components/text/date-text.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS, VALIDITIES } from '#web/lib/vocabulary/statuses.ts';
import { certificationList, certifications, useCourses } from './api.ts';
import { certificationActions } from './certification-actions.ts';
import { CertificationFields } from './certification-form.tsx';
import { type CertificationRow, dayOf } from './schema.ts';
import type { CertificationSearch } from './search.ts';
import { ValidityTotals } from './validity-totals.tsx';

/** @param day yyyy-MM-dd @returns for example "in 12 days", "today" or "3 days ago" */
export function formatDistance(day: string): string {
  const days = differenceInCalendarDays(parseISO(day), parseISO(today()));
  if (days === 0) return 'today';
  const count = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  return days > 0 ? `in ${count}` : `${count} ago`;
}

const certificationColumns: Column<CertificationRow>[] = [
  {
    header: 'Person',
    card: 'title',
    sort: 'person',
    className: 'font-semibold',
    cell: (row) => <PersonLink id={row.user_id} name={formatName(row.profiles)} />,
  },
  { header: 'Course', sort: 'course', cell: (row) => row.training_courses.title },
  {
    header: 'Number',
    className: 'tabular-nums [overflow-wrap:anywhere]',
    cell: (row) => row.certificate_number ?? '-',
  },
  {
    header: 'Issued',
    sort: 'issued',
    className: 'whitespace-nowrap',
    cell: (row) => (row.issued_at ? formatDay(dayOf(row.issued_at)) : '-'),
  },
  {
    header: 'Expires',
    sort: 'expires',
    className: 'whitespace-nowrap',
    cell: (row) => {
      const day = dayOf(row.expires_at);
      return (
        <>
          <DayText day={day} />
          {row.validity !== 'valid' && <span className="text-muted"> ({formatDistance(day)})</span>}
        </>
      );
    },
  },
  { header: 'State', card: 'aside', cell: (row) => <StatusBadge status={row.validity} /> },
];

const rowName = (row: CertificationRow) =>
  `${row.training_courses.title} of ${formatName(row.profiles)}`;

const STATE = choice('state', 'State', 'All states', toOptions(VALIDITIES, STATUS_LABELS));

type CertificationListProps = {
  search: CertificationSearch;
  onChange: ChangeSearch<CertificationSearch>;
};

export function CertificationList({ search, onChange }: CertificationListProps) {
  const { state, person } = search;
  const query = certificationList.usePage(search);
  const { data: courses = [] } = useCourses();
  const { remove } = useUndoableDelete(certifications);
  const onDelete = useCallback(({ id }: CertificationRow) => remove(id), [remove]);
  const list = { search, onChange, query };
  return (
    <>
      <ValidityTotals
        value={state}
        onChange={(value) => onChange({ state: value, page: undefined })}
      />
      <ListRows
        {...list}
        source={certificationList.sourceOf(search)}
        bulk={certificationActions}
        noun="certifications"
        searchLabel="Search by person"
        filters={[
          {
            kind: 'person',
            key: 'person',
            label: 'Person',
            all: 'Everyone',
            searchLabel: 'Search people',
            isHidden: person === undefined,
          },
          searchedChoice(
            'course',
            'Course',
            'All courses',
            courses.map(({ id, title }) => [id, title]),
          ),
          STATE,
        ]}
        dense
        room={54}
        Table={TableRows}
        columns={certificationColumns}
        actions={{ nameOf: rowName, onDelete }}
      />
      <OpenedDialog
        {...list}
        dialog={(opened) => (
          <RecordDialog
            {...opened}
            records={certifications}
            added="Certification added successfully"
          >
            {(form) => <CertificationFields form={form} courses={courses} />}
          </RecordDialog>
        )}
      />
    </>
  );
}
