import { differenceInCalendarDays, parseISO } from 'date-fns';
import { useMemo } from 'react';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { useUndoableDelete } from '#web/components/form/undo-delete.ts';
import { latestOf, type useRowDialogs } from '#web/components/form/use-row-dialogs.ts';
import { actionsColumn, type Column } from '#web/components/list/columns.tsx';
import { FilterPicker } from '#web/components/list/filter-picker.tsx';
import { FilterSelect, ListToolbar } from '#web/components/list/filters.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { usePeople, usePerson } from '#web/lib/data/lookups.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { nameOf } from '#web/lib/format/person-name.ts';
import { STATUS_LABELS, VALIDITIES } from '#web/lib/vocabulary/statuses.ts';
import { certifications, useCertifications, useCourses } from './api.ts';
import { CertificationFields } from './certification-form.tsx';
import {
  type CertificationRow,
  type CertificationSearch,
  certificationFormOf,
  certificationSchema,
  dayOf,
  emptyCertification,
} from './schema.ts';
import { ValidityTotals } from './validity-totals.tsx';

/** @param day yyyy-MM-dd @returns for example "in 12 days", "today" or "3 days ago" */
export function distanceOf(day: string): string {
  const days = differenceInCalendarDays(parseISO(day), parseISO(today()));
  if (days === 0) return 'today';
  const count = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  return days > 0 ? `in ${count}` : `${count} ago`;
}

type Actions = {
  onEdit: (row: CertificationRow) => void;
  onDelete: (row: CertificationRow) => void;
};

const certificationColumns = ({ onEdit, onDelete }: Actions): Column<CertificationRow>[] => [
  {
    header: 'Person',
    card: 'title',
    sort: 'person',
    className: 'font-semibold',
    cell: (row) => nameOf(row.profiles),
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
          <time dateTime={row.expires_at}>{formatDay(day)}</time>
          {row.validity !== 'valid' && <span className="text-muted"> ({distanceOf(day)})</span>}
        </>
      );
    },
  },
  { header: 'State', card: 'aside', cell: (row) => <StatusBadge status={row.validity} /> },
  actionsColumn((row) => ({
    name: `${row.training_courses.title} of ${nameOf(row.profiles)}`,
    onEdit: () => onEdit(row),
    onDelete: () => onDelete(row),
  })),
];

const STATE_OPTIONS = VALIDITIES.map((state) => [state, STATUS_LABELS[state]] as const);

type CertificationListProps = {
  search: CertificationSearch;
  onChange: ChangeSearch<CertificationSearch>;
  dialogs: ReturnType<typeof useRowDialogs<CertificationRow>>;
};

export function CertificationList({ search, onChange, dialogs }: CertificationListProps) {
  const { q = '', state, course, person, sort, page = 1 } = search;
  const query = useCertifications({ q, state, course, person, sort, page });
  const { data: chosen } = usePerson(person);
  const { data: courses = [] } = useCourses();
  const { entry, open, close } = dialogs;
  const save = certifications.useSave();
  const remove = useUndoableDelete({
    remove: certifications.useDelete(),
    restore: certifications.useRestore(),
    deleted: 'Certification deleted successfully',
    restored: 'Certification restored',
  });
  const columns = useMemo(
    () => certificationColumns({ onEdit: open, onDelete: ({ id }) => remove(id) }),
    [open, remove],
  );
  const changed = entry === 'new' ? undefined : entry;
  const isNarrowed =
    q !== '' || person !== undefined || state !== undefined || course !== undefined || page > 1;
  return (
    <>
      <ValidityTotals
        value={state}
        onChange={(value) => onChange({ state: value, page: undefined })}
      />
      <ListToolbar
        searchLabel="Search by person"
        search={q}
        onSearch={(text) => onChange({ q: text || undefined, page: undefined })}
      >
        {person && (
          <FilterPicker
            label="Person"
            searchLabel="Search people"
            placeholder="Everyone"
            value={chosen ?? undefined}
            onChange={(choice) => onChange({ person: choice?.id, page: undefined })}
            useChoices={usePeople}
          />
        )}
        <FilterSelect
          label="Course"
          all="All courses"
          options={courses.map(({ id, title }) => [id, title] as const)}
          value={course}
          onChange={(value) => onChange({ course: value, page: undefined })}
        />
        <FilterSelect
          label="State"
          all="All states"
          options={STATE_OPTIONS}
          value={state}
          onChange={(value) => onChange({ state: value, page: undefined })}
        />
      </ListToolbar>
      <PagedTable
        query={query}
        loading="Loading certifications..."
        empty={
          isNarrowed
            ? 'No certifications match. Change the search or the filters.'
            : 'No certifications yet. Add the first one above.'
        }
        dense
        room={54}
        label="Certifications"
        columns={columns}
        rowId={({ id }) => id}
        page={page}
        sort={sort}
        onChange={onChange}
      />
      {entry && (
        <EntryDialog
          title={changed ? 'Edit Certification' : 'Add Certification'}
          schema={certificationSchema}
          defaultValues={changed ? certificationFormOf(changed) : emptyCertification}
          latest={changed && certificationFormOf(latestOf(changed, query.data?.rows))}
          submitLabel={changed ? 'Save Changes' : 'Add Certification'}
          save={(form) => save.mutateAsync({ id: changed?.id, form: { form, stored: changed } })}
          success={`Certification ${changed ? 'updated' : 'added'} successfully`}
          onClose={close}
        >
          {(form) => <CertificationFields form={form} courses={courses} />}
        </EntryDialog>
      )}
    </>
  );
}
