import { CopyPlus, Plus } from 'lucide-react';
import { memo, type ReactNode, startTransition, useDeferredValue, useState } from 'react';
import { mayDo } from '#shared/permissions.ts';
import { ListButtons } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { ViewsButton } from '#web/components/list/views-button.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { CopyWeekDialog } from './copy-week-dialog.tsx';
import { DeleteShiftDialog } from './delete-shift-dialog.tsx';
import { RequestsLink } from './requests-link.tsx';
import { shiftList, useLiveShifts } from './shift-api.ts';
import { ShiftDialog } from './shift-dialog.tsx';
import { NewShiftDialog } from './shift-form.tsx';
import { ShiftList } from './shift-list.tsx';
import type { Shift } from './shift-schema.ts';
import { dayIn, type ShiftSearch } from './shift-search.ts';
import { WeekView } from './week-view.tsx';

// Rendered after the pressed tab has changed: a week of all sites takes half a second on a slow processor.
const List = memo(ShiftList);
const Week = memo(WeekView);

type ShiftPlannerProps = {
  search: ShiftSearch;
  onChange: ChangeSearch<ShiftSearch>;
  /** Finds a replacement for the shift. */
  replacement: (shiftId: string) => ReactNode;
};

export function ShiftPlanner({ search, onChange, replacement }: ShiftPlannerProps) {
  const { roles } = useAuth();
  const { q, site, staffing, guard, day, sort, view, open, tab } = search;
  useLiveShifts();
  const shown = useDeferredValue(search);
  const [dialog, setDialog] = useState<'create' | 'copy'>();
  const [deleting, setDeleting] = useState<Shift>();
  // Responds to the press before rendering the form.
  const show = (next: typeof dialog) => startTransition(() => setDialog(next));
  const close = () => setDialog(undefined);
  const exported =
    view === 'week'
      ? { q, site, rows: search.rows, week: search.week ?? today() }
      : { q, site, staffing, guard, day, sort };
  const start = dayIn(search) ?? search.week ?? today();
  return (
    <>
      <ScreenHeading title="Shifts Management" aside={<ViewsButton hasLayouts={false} />}>
        <ListButtons exportRecords={(format) => shiftList.exportAll(exported, format)} />
        <Button variant="secondary" onClick={() => show('copy')}>
          <CopyPlus aria-hidden="true" className="size-4.5" />
          Copy Week
        </Button>
        <Button onClick={() => show('create')}>
          <Plus aria-hidden="true" className="size-4.5" />
          Create Shift
        </Button>
      </ScreenHeading>
      <RequestsLink />
      <Tabs
        value={view ?? 'list'}
        onValueChange={(value) =>
          onChange({ view: value === 'week' ? 'week' : undefined, page: undefined, q: undefined })
        }
      >
        <TabsList aria-label="View" className="mb-5 sm:w-fit compact:mb-3">
          <TabsTrigger value="list" className="compact:lg:min-h-9 sm:px-6">
            Upcoming Shifts
          </TabsTrigger>
          <TabsTrigger value="week" className="compact:lg:min-h-9 sm:px-6">
            Week
          </TabsTrigger>
        </TabsList>
        <TabsContent value={view ?? 'list'}>
          {shown.view === 'week' ? (
            <Week search={shown} onChange={onChange} />
          ) : (
            <List
              search={shown}
              onChange={onChange}
              onDelete={mayDo(roles, 'shifts', 'delete') ? setDeleting : undefined}
            />
          )}
        </TabsContent>
      </Tabs>
      {dialog === 'create' && (
        <NewShiftDialog
          day={start}
          siteId={site}
          onAssign={(id) => onChange({ open: id })}
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
          replacement={replacement}
          onClose={() => onChange({ open: undefined, tab: undefined })}
        />
      )}
      {deleting && <DeleteShiftDialog shift={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
