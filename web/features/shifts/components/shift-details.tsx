// Site, times, headcount and notes of a shift that exists. Somebody else's change meanwhile is shown beside one's own.
import { useState } from 'react';
import { RecordForm } from '#web/components/records/record-form.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useSites } from '../api/list-sites.ts';
import { useSaveShift } from '../api/save-shift.ts';
import { formOf, type Shift, shiftSchema } from '../schema.ts';
import { zoneOf } from '../zone-of.ts';
import { ShiftFields } from './shift-fields.tsx';

export function ShiftDetails({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const { data: sites } = useSites();
  const save = useSaveShift();
  const [opened] = useState(shift);
  return (
    <RecordForm
      schema={shiftSchema}
      defaultValues={formOf(opened)}
      latest={formOf(shift)}
      submitLabel="Save Changes"
      save={(form) =>
        save.mutateAsync({ id: shift.id, form, timezone: zoneOf(sites, form.site_id) })
      }
      onSaved={() => {
        showSuccess('Shift updated successfully');
        onClose();
      }}
      onCancel={onClose}
    >
      {(form) => <ShiftFields {...form} />}
    </RecordForm>
  );
}
