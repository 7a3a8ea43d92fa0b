import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { RATE_PROPOSALS_KIND } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { ProposalRows } from './proposal-rows.tsx';
import {
  emptyRate,
  formatRate,
  formatRateName,
  KIND_LABELS,
  type Rate,
  type RateForm,
  rateSchema,
} from './rate-schema.ts';
import { proposals, useDeleteRate, useRates } from './rates-api.ts';

function RateFields(form: UseFormReturn<RateForm>) {
  const kind = form.watch('kind');
  const rate = kind === 'lrd_per_usd' || kind === 'minimum_wage' ? 'Amount' : 'Rate (%)';
  const field = createFields(form);
  return (
    <FieldGrid>
      {field.select('kind', 'Kind', toOptions(RATE_PROPOSALS_KIND, KIND_LABELS))}
      {kind === 'tax' && field.text('name', 'Name of the Tax', { hint: 'As on contracts' })}
      {field.day('effective_from', 'In Force From')}
      {kind === 'income_tax' && field.amount('from_amount', 'Income From (LRD a year)')}
      {field.text('rate', rate, { inputMode: 'decimal' })}
      {field.text('source', 'Source', { hint: 'Where this figure comes from', wide: true })}
    </FieldGrid>
  );
}

function RateRows({ rows, onDelete }: { rows: Rate[]; onDelete: (rate: Rate) => void }) {
  return (
    <ul className="divide-y divide-line">
      {rows.map((rate) => (
        <li key={rate.id} className="flex items-center justify-between gap-3 py-2">
          <div className="min-w-0">
            <p>
              {formatRateName(rate)}: <strong>{formatRate(rate)}</strong>
            </p>
            <p className="text-sm text-muted">
              From {formatDay(rate.effective_from)}. {rate.source}
            </p>
          </div>
          <IconButton
            title="Delete"
            label={`Delete ${formatRateName(rate)}, ${formatRate(rate)}`}
            Icon={Trash2}
            onClick={() => onDelete(rate)}
          />
        </li>
      ))}
    </ul>
  );
}

function DeleteRateDialog({ rate, onClose }: { rate: Rate; onClose: () => void }) {
  const { mutateAsync } = useDeleteRate();
  return (
    <ConfirmDialog
      title="Delete Rate"
      question={`Delete ${formatRateName(rate)}, ${formatRate(rate)} from ${formatDay(rate.effective_from)}?`}
      confirmLabel="Delete"
      busyLabel="Deleting..."
      success="Rate deleted"
      failure="Rate not deleted"
      onConfirm={() => mutateAsync(rate)}
      onClose={onClose}
    >
      {rate.kind === 'income_tax' && 'All bands that begin on this day are deleted with it. '}
      The previous rate applies instead. A rate that a locked pay run or an issued invoice used is
      kept.
    </ConfirmDialog>
  );
}

export function RatesDialog({ onClose }: { onClose: () => void }) {
  const [isAdding, setAdding] = useState(false);
  const [toDelete, setToDelete] = useState<Rate>();
  const query = useRates();
  const save = proposals.useSave();
  const back = () => setAdding(false);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Pay Rates"
      description="Deductions are suggested from the rates in force at the end of a pay period. A new rate counts once a second person has approved it. Not legal advice: check them with the authorities."
    >
      {isAdding ? (
        <RecordForm
          schema={rateSchema}
          defaultValues={emptyRate()}
          submitLabel="Propose Rate"
          failure="Rate not proposed"
          save={(form) => save.mutateAsync({ id: undefined, form })}
          onSaved={() => {
            showSuccess('Rate proposed', 'Another admin or finance user approves it.');
            back();
          }}
          onCancel={back}
        >
          {(form) => <RateFields {...form} />}
        </RecordForm>
      ) : (
        <div className="grid gap-4">
          <Loaded query={query} loadingText="Loading rates..." failure="Error">
            {(all) => (
              <>
                <ProposalRows proposals={all.proposals} />
                <RateRows rows={all.rates} onDelete={setToDelete} />
              </>
            )}
          </Loaded>
          <Button className="justify-self-end" onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" className="size-4.5" />
            Propose Rate
          </Button>
        </div>
      )}
      {toDelete && <DeleteRateDialog rate={toDelete} onClose={() => setToDelete(undefined)} />}
    </Dialog>
  );
}
