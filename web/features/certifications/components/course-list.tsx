// The courses, with how many certificates of each there are, and their dialogs.
import { useMemo } from 'react';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ListStates } from '#web/components/list/list-states.tsx';
import { DeleteDialog } from '#web/components/records/delete-dialog.tsx';
import { EntryDialog } from '#web/components/records/entry-dialog.tsx';
import { latestOf, type useBoard } from '#web/components/records/use-board.ts';
import { useDeleteCourse } from '../api/delete-course.ts';
import { useCourses } from '../api/list-courses.ts';
import { useTotals } from '../api/list-totals.ts';
import { useRestoreCourse } from '../api/restore-course.ts';
import { useSaveCourse } from '../api/save-course.ts';
import { type Course, courseFormOf, courseSchema } from '../schema.ts';
import { type CourseRow, courseColumns, heldOf } from './course-columns.tsx';
import { CourseFields } from './course-fields.tsx';

function obstacleOf(course: CourseRow): string | undefined {
  const held = heldOf(course);
  if (held === 0) return undefined;
  const certificates = held === 1 ? '1 certificate' : `${held} certificates`;
  return `${certificates} of ${course.title} exist. It can only be deleted once these are gone.`;
}

type CourseListProps = { board: ReturnType<typeof useBoard<CourseRow>> };

export function CourseList({ board }: CourseListProps) {
  const query = useCourses();
  const { data: totals } = useTotals();
  const { entry, open, close, deleting, ask, stopAsking } = board;
  const columns = useMemo(() => courseColumns({ onEdit: open, onDelete: ask }), [open, ask]);
  const save = useSaveCourse();
  const remove = useDeleteCourse();
  const restore = useRestoreCourse();
  const changed = entry === 'new' ? undefined : entry;
  const rowsOf = (courses: Course[] = []): CourseRow[] =>
    courses.map((course) => ({
      ...course,
      totals: totals?.find(({ course_id }) => course_id === course.id),
    }));
  return (
    <>
      <ListStates
        query={query}
        loading="Loading courses..."
        isEmpty={(courses) => courses.length === 0}
        empty="No courses yet. Add the first one above."
      >
        {(courses) => (
          <DataTable
            label="Courses"
            columns={columns}
            rows={rowsOf(courses)}
            rowId={({ id }) => id}
          />
        )}
      </ListStates>
      {entry && (
        <EntryDialog
          title={changed ? 'Edit Course' : 'Add Course'}
          schema={courseSchema}
          defaultValues={courseFormOf(changed)}
          latest={changed && courseFormOf(latestOf(changed, rowsOf(query.data)))}
          submitLabel={changed ? 'Save Changes' : 'Add Course'}
          save={(form) => save.mutateAsync({ id: changed?.id, form })}
          success={`Course ${changed ? 'updated' : 'added'} successfully`}
          onClose={close}
        >
          {(form) => <CourseFields {...form} />}
        </EntryDialog>
      )}
      {deleting && (
        <DeleteDialog
          title="Delete Course"
          question="Are you sure you want to delete this course?"
          consequence={`${deleting.title} is removed. Nobody holds a certificate of it.`}
          obstacle={obstacleOf(deleting)}
          remove={() => remove.mutateAsync(deleting.id)}
          deleted="Course deleted successfully"
          undo={{ restore: restore.mutateAsync, restored: 'Course restored' }}
          onClose={stopAsking}
        />
      )}
    </>
  );
}
