import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { FieldGrid, fieldsOf } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { optionsOf } from '#web/lib/vocabulary/options.ts';
import {
  formatRate,
  formOf,
  KIND_LABELS,
  KINDS,
  type Rate,
  type RateForm,
  rateSchema,
} from './rate-schema.ts';
import { rates, useRates } from './rates-api.ts';

function RateFields(form: UseFormReturn<RateForm>) {
  const kind = form.watch('kind');
  const rate = kind === 'lrd_per_usd' || kind === 'minimum_wage' ? 'Amount' : 'Rate (%)';
  const field = fieldsOf(form);
  return (
    <FieldGrid>
      {field.select('kind', 'Kind', optionsOf(KINDS, KIND_LABELS))}
      {field.day('effective_from', 'In Force From')}
      {kind === 'income_tax' && field.amount('from_amount', 'Income From (LRD a year)')}
      {field.text('rate', rate, { inputMode: 'decimal' })}
      {field.text('source', 'Source', { hint: 'Where this figure comes from', wide: true })}
    </FieldGrid>
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
          defaultValues={formOf(changed)}
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
