// A new shift; once it is there, the way on to its guards is offered.
import { RecordForm } from '#web/components/records/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useSites } from '../api/list-sites.ts';
import { useSaveShift } from '../api/save-shift.ts';
import { emptyForm, shiftSchema } from '../schema.ts';
import { zoneOf } from '../zone-of.ts';
import { ShiftFields } from './shift-fields.tsx';

type NewShiftDialogProps = {
  /** What the list shows: the day, yyyy-MM-dd, and the site. */
  day: string;
  siteId: string | undefined;
  onAssign: (id: string) => void;
  onClose: () => void;
};

export function NewShiftDialog({ day, siteId, onAssign, onClose }: NewShiftDialogProps) {
  const { data: sites } = useSites();
  const save = useSaveShift();
  return (
    <Dialog open onOpenChange={onClose} title="Create Shift">
      <RecordForm
        schema={shiftSchema}
        defaultValues={emptyForm(day, siteId)}
        submitLabel="Create Shift"
        save={async (form) => {
          const id = await save.mutateAsync({ form, timezone: zoneOf(sites, form.site_id) });
          const action = { label: 'Assign Guards', onPress: () => onAssign(id) };
          showSuccess('Shift created successfully', undefined, action);
        }}
        onSaved={onClose}
        onCancel={onClose}
      >
        {(form) => <ShiftFields {...form} />}
      </RecordForm>
    </Dialog>
  );
}
