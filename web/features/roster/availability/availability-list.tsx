import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { AVAILABILITY_KIND } from '#shared/database.values.ts';
import { Options } from '#web/components/form/inputs.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { today } from '#web/lib/format/dates.ts';
import {
  type Availability,
  useAddAvailability,
  useAvailability,
  useRemoveAvailability,
  useRestoreAvailability,
} from './api.ts';
import {
  type AvailabilityForm,
  availabilitySchema,
  daysText,
  KIND_LABELS,
  WEEKDAYS,
} from './schema.ts';

const NEW: AvailabilityForm = {
  kind: 'unavailable',
  when: '6',
  from_day: '',
  to_day: '',
  part: '',
  note: '',
};

const TONES = { unavailable: 'red', avoid: 'orange', prefer: 'green' } as const;

function AddDialog({ onClose }: { onClose: () => void }) {
  const add = useAddAvailability();
  return (
    <Dialog open onOpenChange={onClose} title="Add days">
      <RecordForm
        schema={availabilitySchema}
        defaultValues={NEW}
        submitLabel="Add"
        invalid="Error"
        save={(form) => add.mutateAsync(form)}
        onSaved={() => {
          showSuccess('Days Added');
          onClose();
        }}
        onCancel={onClose}
      >
        {({ register, watch, formState: { errors } }) => (
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Wish" className="sm:col-span-2">
              {(control) => (
                <Select {...control} {...register('kind')}>
                  <Options values={AVAILABILITY_KIND} labels={KIND_LABELS} />
                </Select>
              )}
            </Field>
            <Field label="Days">
              {(control) => (
                <Select {...control} {...register('when')}>
                  {WEEKDAYS.map((label, index) => (
                    <option key={label} value={index}>
                      {label}
                    </option>
                  ))}
                  <option value="dates">Dates</option>
                </Select>
              )}
            </Field>
            <Field label="Time">
              {(control) => (
                <Select {...control} {...register('part')}>
                  <option value="">Days and nights</option>
                  <option value="day">Days only</option>
                  <option value="night">Nights only</option>
                </Select>
              )}
            </Field>
            {watch('when') === 'dates' && (
              <>
                <Field label="First day" error={errors.from_day?.message}>
                  {(control) => (
                    <Input {...control} {...register('from_day')} type="date" min={today()} />
                  )}
                </Field>
                <Field label="Last day" optional error={errors.to_day?.message}>
                  {(control) => (
                    <Input {...control} {...register('to_day')} type="date" min={today()} />
                  )}
                </Field>
              </>
            )}
            <Field label="Note" optional error={errors.note?.message} className="sm:col-span-2">
              {(control) => <Input {...control} {...register('note')} autoComplete="off" />}
            </Field>
          </div>
        )}
      </RecordForm>
    </Dialog>
  );
}

export function AvailabilityList() {
  const query = useAvailability();
  const remove = useRemoveAvailability();
  const restore = useRestoreAvailability();
  const [isAdding, setAdding] = useState(false);
  async function removeRow(row: Availability) {
    try {
      await remove.mutateAsync(row);
      showSuccess('Days Removed', undefined, {
        label: 'Undo',
        onPress: () =>
          void restore
            .mutateAsync(row)
            .catch((error: unknown) => showError('Error', describeError(error))),
      });
    } catch (error) {
      showError('Error', describeError(error));
    }
  }
  return (
    <div className="grid gap-5">
      <LoadedList
        title="Availability"
        level={1}
        query={query}
        loadingText="Loading..."
        emptyText="No wishes yet. Planners see them when they make the roster."
      >
        {(row) => (
          <li key={row.id} className="flex items-center gap-3 px-4 py-3 sm:px-5">
            <div className="min-w-0 flex-1">
              <p className="font-semibold">{daysText(row)}</p>
              {row.note && <p className="text-sm break-words text-muted">{row.note}</p>}
              <p className="mt-1">
                <Badge tone={TONES[row.kind]}>{KIND_LABELS[row.kind]}</Badge>
              </p>
            </div>
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Remove ${daysText(row)}`}
              onClick={() => removeRow(row)}
            >
              <Trash2 aria-hidden="true" className="size-5" />
            </Button>
          </li>
        )}
      </LoadedList>
      <p className="text-sm text-pretty text-muted">
        These are wishes. For days that you must have off, request leave.
      </p>
      <Button className="sm:justify-self-start" onClick={() => setAdding(true)}>
        <Plus aria-hidden="true" className="size-4.5" /> Add days
      </Button>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </div>
  );
}
