import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { createFields } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { formatDuration, readCity } from '#web/lib/format/dates.ts';
import { findZone, useSaveShift } from './shift-api.ts';
import {
  emptyForm,
  type Shift,
  type ShiftForm,
  shiftSchema,
  timesSchema,
  toForm,
} from './shift-schema.ts';
import { findEndDate, toInstants } from './shift-times.ts';

/** @returns for example "12 h, over midnight"; undefined while the times are incomplete */
function describeLength(form: ShiftForm): string | undefined {
  if (!timesSchema.safeParse(form).success) return undefined;
  const { start_time, end_time } = toInstants(form, 'UTC');
  if (end_time <= start_time) return undefined;
  const length = formatDuration(start_time, end_time);
  return form.end_date > form.start_date ? `${length}, over midnight` : length;
}

const HEADCOUNT = { type: 'number', min: 1, max: 1000 } as const;

function ShiftFields(form: UseFormReturn<ShiftForm>) {
  const { data: sites = [] } = useSiteOptions();
  const values = form.watch();
  const zone = sites.find(({ id }) => id === values.site_id)?.timezone;
  // The end date follows the times until the user sets a different one.
  const follows = values.end_date === '' || values.end_date === findEndDate(values);
  const moveEnd = ({ target }: { target: HTMLInputElement }) => {
    const end = findEndDate({ ...values, [target.name]: target.value });
    if (follows && end !== values.end_date) form.setValue('end_date', end);
  };
  const register = { onChange: moveEnd };
  const field = createFields(form);
  return (
    <div className="grid grid-cols-2 gap-5">
      {field.select(
        'site_id',
        'Site',
        sites.map(({ id, name, client_name }) => [id, `${name} (${client_name})`]),
        { empty: 'Choose a site', wide: true, isSearched: true },
      )}
      {field.day('start_date', 'Start Date', { register })}
      {field.day('start_time', 'Start Time', { type: 'time', register })}
      {field.day('end_date', 'End Date')}
      {field.day('end_time', 'End Time', { type: 'time', register })}
      <p className="col-span-2 -mt-2 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <span>{zone ? `Site time (${readCity(zone)})` : 'Site time'}</span>
        <span role="status">{describeLength(values)}</span>
      </p>
      {field.count('required_headcount', 'Required Guards', HEADCOUNT)}
      {field.notes('notes', 'Notes')}
    </div>
  );
}

type NewShiftDialogProps = {
  /** Defaults from the list: the day, yyyy-MM-dd, and the site. */
  day: string;
  siteId: string | undefined;
  onAssign: (id: string) => void;
  onClose: () => void;
};

export function NewShiftDialog({ day, siteId, onAssign, onClose }: NewShiftDialogProps) {
  const { data: sites } = useSiteOptions();
  const save = useSaveShift();
  return (
    <Dialog open onOpenChange={onClose} title="Create Shift">
      <RecordForm
        schema={shiftSchema}
        defaultValues={emptyForm(day, siteId)}
        submitLabel="Create Shift"
        save={async (form) => {
          const id = await save.mutateAsync({ form, timezone: findZone(sites, form.site_id) });
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

export function ShiftDetails({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const { data: sites } = useSiteOptions();
  const save = useSaveShift();
  const [opened] = useState(shift);
  return (
    <RecordForm
      schema={shiftSchema}
      defaultValues={toForm(opened)}
      latest={toForm(shift)}
      submitLabel="Save Changes"
      save={(form) =>
        save.mutateAsync({ id: shift.id, form, timezone: findZone(sites, form.site_id) })
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
