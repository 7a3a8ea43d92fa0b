// Shifts Management: the upcoming shifts or the week, and the dialogs.
import { CopyPlus, Plus } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '#web/components/records/confirm-dialog.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { today } from '#web/lib/format.ts';
import type { ChangeSearch } from '#web/lib/list-search.ts';
import { useDeleteShift } from '../api/delete-shift.ts';
import { exportShifts } from '../api/export-shifts.ts';
import { useLiveShifts } from '../api/use-live-shifts.ts';
import { dayIn, type Shift, type ShiftSearch } from '../schema.ts';
import { CopyWeekDialog } from './copy-week-dialog.tsx';
import { NewShiftDialog } from './new-shift-dialog.tsx';
import { nameOf } from './shift-columns.tsx';
import { ShiftDialog } from './shift-dialog.tsx';
import { ShiftList } from './shift-list.tsx';
import { WeekView } from './week/week-view.tsx';

type ShiftPlannerProps = {
  search: ShiftSearch;
  onChange: ChangeSearch<ShiftSearch>;
  mayDelete: boolean;
};

/** @returns what goes with the shift */
function lossOf(shift: Shift): string {
  const guards = shift.assigned === 1 ? 'its guard' : `its ${shift.assigned} guards`;
  return shift.assigned === 0
    ? `${nameOf(shift)}. Nobody is assigned to it.`
    : `${nameOf(shift)}. The shift is removed, and ${guards} will no longer be assigned to it.`;
}

export function ShiftPlanner({ search, onChange, mayDelete }: ShiftPlannerProps) {
  const { q, site, staffing, day, sort, view, open, tab } = search;
  useLiveShifts();
  const [dialog, setDialog] = useState<'create' | 'copy'>();
  const [deleting, setDeleting] = useState<Shift>();
  const remove = useDeleteShift();
  const close = () => setDialog(undefined);
  const start = dayIn(search) ?? search.week ?? today();
  return (
    <>
      <ScreenHeading title="Shifts Management">
        <ExportButton exportRecords={() => exportShifts({ q, site, staffing, day, sort })} />
        <Button variant="secondary" onClick={() => setDialog('copy')}>
          <CopyPlus aria-hidden="true" className="size-4.5" />
          Copy Week
        </Button>
        <Button onClick={() => setDialog('create')}>
          <Plus aria-hidden="true" className="size-4.5" />
          Create Shift
        </Button>
      </ScreenHeading>
      <Tabs
        value={view ?? 'list'}
        onValueChange={(value) =>
          onChange({ view: value === 'week' ? 'week' : undefined, page: undefined, q: undefined })
        }
      >
        <TabsList aria-label="View" className="mb-5 sm:w-fit">
          <TabsTrigger value="list" className="sm:px-6">
            Upcoming Shifts
          </TabsTrigger>
          <TabsTrigger value="week" className="sm:px-6">
            Week
          </TabsTrigger>
        </TabsList>
        <TabsContent value="list">
          <ShiftList
            search={search}
            onChange={onChange}
            onDelete={mayDelete ? setDeleting : undefined}
          />
        </TabsContent>
        <TabsContent value="week">
          <WeekView search={search} onChange={onChange} />
        </TabsContent>
      </Tabs>
      {dialog === 'create' && (
        <NewShiftDialog
          day={start}
          siteId={site}
          onAssign={(id) => onChange({ open: id, tab: 'guards' })}
          onClose={close}
        />
      )}
      {dialog === 'copy' && <CopyWeekDialog day={start} siteId={site} onClose={close} />}
      {open && (
        <ShiftDialog
          key={open}
          id={open}
          tab={tab}
          onTab={(next) => onChange({ tab: next })}
          onClose={() => onChange({ open: undefined, tab: undefined })}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title="Delete Shift"
          question="Are you sure you want to delete this shift?"
          consequence={lossOf(deleting)}
          confirmLabel="Delete"
          confirm={() => remove.mutateAsync(deleting.id)}
          onDone={() => {
            setDeleting(undefined);
            showSuccess('Shift deleted successfully');
          }}
          onCancel={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}
