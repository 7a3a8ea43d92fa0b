import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { AmountInput, Options } from '#web/components/form/inputs.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import {
  emptyRate,
  formatRate,
  formOf,
  KIND_LABELS,
  KINDS,
  type Rate,
  type RateForm,
  rateSchema,
} from './rate-schema.ts';
import { rates, useRates } from './rates-api.ts';

function RateFields({ register, watch, formState: { errors } }: UseFormReturn<RateForm>) {
  const kind = watch('kind');
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Kind" error={errors.kind?.message}>
        {(control) => (
          <Select {...control} {...register('kind')}>
            <Options values={KINDS} labels={KIND_LABELS} />
          </Select>
        )}
      </Field>
      <Field label="In Force From" error={errors.effective_from?.message}>
        {(control) => <Input {...control} {...register('effective_from')} type="date" />}
      </Field>
      {kind === 'income_tax' && (
        <Field label="Income From (LRD a year)" error={errors.from_amount?.message}>
          {(control) => <AmountInput {...control} {...register('from_amount')} />}
        </Field>
      )}
      <Field
        label={kind === 'lrd_per_usd' || kind === 'minimum_wage' ? 'Amount' : 'Rate (%)'}
        error={errors.rate?.message}
      >
        {(control) => (
          <Input {...control} {...register('rate')} inputMode="decimal" autoComplete="off" />
        )}
      </Field>
      <Field
        label="Source"
        hint="Where this figure comes from"
        error={errors.source?.message}
        className="sm:col-span-2"
      >
        {(control) => <Input {...control} {...register('source')} autoComplete="off" />}
      </Field>
    </div>
  );
}

function RateRows({ rows, onEdit }: { rows: Rate[]; onEdit: (rate: Rate) => void }) {
  return (
    <ul className="divide-y divide-line">
      {rows.map((rate) => (
        <li key={rate.id} className="flex items-center justify-between gap-3 py-2">
          <div className="min-w-0">
            <p>
              {KIND_LABELS[rate.kind]}: <strong>{formatRate(rate)}</strong>
            </p>
            <p className="text-sm text-muted">
              From {formatDay(rate.effective_from)}. {rate.source}
            </p>
          </div>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Edit ${KIND_LABELS[rate.kind]}, ${formatRate(rate)}`}
            onClick={() => onEdit(rate)}
          >
            <Pencil aria-hidden="true" className="size-4" />
          </Button>
        </li>
      ))}
    </ul>
  );
}

function RatesDialog({ onClose }: { onClose: () => void }) {
  const [entry, setEntry] = useState<Rate | 'new'>();
  const query = useRates();
  const save = rates.useSave();
  const changed = entry === 'new' ? undefined : entry;
  const back = () => setEntry(undefined);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Pay Rates"
      description="Deductions are suggested from the rates in force at the end of a pay period. Not legal advice: check them with the authorities."
    >
      {entry ? (
        <RecordForm
          schema={rateSchema}
          defaultValues={changed ? formOf(changed) : emptyRate()}
          submitLabel={changed ? 'Save Changes' : 'Add Rate'}
          save={(form) => save.mutateAsync({ id: changed?.id, form })}
          onSaved={() => {
            showSuccess(`Rate ${changed ? 'updated' : 'added'} successfully`);
            back();
          }}
          onCancel={back}
        >
          {(form) => <RateFields {...form} />}
        </RecordForm>
      ) : (
        <div className="grid gap-4">
          <Loaded query={query} loadingText="Loading rates..." failure="Error">
            {(rows) => <RateRows rows={rows} onEdit={setEntry} />}
          </Loaded>
          <Button className="justify-self-end" onClick={() => setEntry('new')}>
            <Plus aria-hidden="true" className="size-4.5" />
            Add Rate
          </Button>
        </div>
      )}
    </Dialog>
  );
}

export function RatesButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Pay Rates
      </Button>
      {isOpen && <RatesDialog onClose={() => setOpen(false)} />}
    </>
  );
}
