// Each person's certifications: totals, search, filters, pages, and the dialogs.
import { useMemo } from 'react';
import { FilterPicker } from '#web/components/list/filter-picker.tsx';
import { FilterSelect } from '#web/components/list/filter-select.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { PagedTable } from '#web/components/list/paged-table.tsx';
import { EntryDialog } from '#web/components/records/entry-dialog.tsx';
import { latestOf, type useBoard } from '#web/components/records/use-board.ts';
import { useUndoableDelete } from '#web/components/records/use-undoable-delete.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { usePeople, usePerson } from '#web/lib/data/people.ts';
import { useDeleteCertification } from '../api/delete-certification.ts';
import { useCertifications } from '../api/list-certifications.ts';
import { useCourses } from '../api/list-courses.ts';
import { useRestoreCertification } from '../api/restore-certification.ts';
import { useSaveCertification } from '../api/save-certification.ts';
import { VALIDITY_LABELS } from '../labels.ts';
import {
  type CertificationRow,
  type CertificationSearch,
  certificationFormOf,
  certificationSchema,
  emptyCertification,
  VALIDITIES,
} from '../schema.ts';
import { certificationColumns } from './certification-columns.tsx';
import { CertificationFields } from './certification-fields.tsx';
import { ValidityTotals } from './validity-totals.tsx';

const STATE_OPTIONS = VALIDITIES.map((state) => [state, VALIDITY_LABELS[state]] as const);

type CertificationListProps = {
  search: CertificationSearch;
  onChange: ChangeSearch<CertificationSearch>;
  board: ReturnType<typeof useBoard<CertificationRow>>;
};

export function CertificationList({ search, onChange, board }: CertificationListProps) {
  const { q = '', state, course, person, sort, page = 1 } = search;
  const query = useCertifications({ q, state, course, person, sort, page });
  const { data: chosen } = usePerson(person);
  const { data: courses = [] } = useCourses();
  const { entry, open, close } = board;
  const save = useSaveCertification();
  const remove = useUndoableDelete({
    remove: useDeleteCertification(),
    restore: useRestoreCertification(),
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
            placeholder="Everybody"
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
          save={(form) => save.mutateAsync({ stored: changed, form })}
          success={`Certification ${changed ? 'updated' : 'added'} successfully`}
          onClose={close}
        >
          {(form) => <CertificationFields form={form} courses={courses} />}
        </EntryDialog>
      )}
    </>
  );
}
