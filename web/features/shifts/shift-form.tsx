import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { cityOf, formatDuration } from '#web/lib/format/dates.ts';
import { useSaveShift, zoneOf } from './shift-api.ts';
import {
  emptyForm,
  formOf,
  type Shift,
  type ShiftForm,
  shiftSchema,
  timesSchema,
} from './shift-schema.ts';
import { endDateOf, instantsOf } from './shift-times.ts';

/** @returns for example "12 h, over midnight"; undefined while the times are incomplete */
function describeLength(form: ShiftForm): string | undefined {
  if (!timesSchema.safeParse(form).success) return undefined;
  const { start_time, end_time } = instantsOf(form, 'UTC');
  if (end_time <= start_time) return undefined;
  const length = formatDuration(start_time, end_time);
  return form.end_date > form.start_date ? `${length}, over midnight` : length;
}

function ShiftFields({ register, watch, setValue, formState }: UseFormReturn<ShiftForm>) {
  const { errors } = formState;
  const { data: sites = [] } = useSiteOptions();
  const form = watch();
  const zone = sites.find(({ id }) => id === form.site_id)?.timezone;
  // The end date follows the times until the user sets a different one.
  const follows = form.end_date === '' || form.end_date === endDateOf(form);
  const time = (name: 'start_date' | 'start_time' | 'end_time') =>
    register(name, {
      onChange: ({ target }: { target: HTMLInputElement }) => {
        const end = endDateOf({ ...form, [name]: target.value });
        if (follows && end !== form.end_date) setValue('end_date', end);
      },
    });
  return (
    <div className="grid grid-cols-2 gap-5">
      <Field label="Site" error={errors.site_id?.message} className="col-span-2">
        {(control) => (
          // The options load after the form: without the key the select would keep showing the first.
          <Select key={sites.length} {...control} {...register('site_id')}>
            <option value="">Choose a site</option>
            {sites.map(({ id, name, client_name }) => (
              <option key={id} value={id}>
                {name} ({client_name})
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Start Date" error={errors.start_date?.message}>
        {(control) => <Input {...control} {...time('start_date')} type="date" />}
      </Field>
      <Field label="Start Time" error={errors.start_time?.message}>
        {(control) => <Input {...control} {...time('start_time')} type="time" />}
      </Field>
      <Field label="End Date" error={errors.end_date?.message}>
        {(control) => <Input {...control} {...register('end_date')} type="date" />}
      </Field>
      <Field label="End Time" error={errors.end_time?.message}>
        {(control) => <Input {...control} {...time('end_time')} type="time" />}
      </Field>
      <p className="col-span-2 -mt-2 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <span>{zone ? `Site time (${cityOf(zone)})` : 'Site time'}</span>
        <span role="status">{describeLength(form)}</span>
      </p>
      <Field label="Required Guards" error={errors.required_headcount?.message}>
        {(control) => (
          <Input
            {...control}
            {...register('required_headcount')}
            type="number"
            inputMode="numeric"
            min={1}
            max={1000}
          />
        )}
      </Field>
      <Field label="Notes" optional error={errors.notes?.message} className="col-span-2">
        {(control) => <Textarea {...control} {...register('notes')} rows={3} />}
      </Field>
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

export function ShiftDetails({ shift, onClose }: { shift: Shift; onClose: () => void }) {
  const { data: sites } = useSiteOptions();
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
