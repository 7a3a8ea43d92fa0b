import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { formatCount } from '#shared/count.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { dayField, isInOrder } from '#web/lib/form-fields/day-field.ts';
import { endOfMonth, formatPeriod, today } from '#web/lib/format/dates.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type Overlap, runInTheWay, useDraftPayroll } from './api.ts';

const draftSchema = z
  .object({
    period_start: dayField('Period start is required'),
    period_end: dayField('Period end is required'),
  })
  .refine(({ period_start, period_end }) => isInOrder(period_start, period_end), {
    error: 'Period end must be after period start',
    path: ['period_end'],
  });

function thisMonth() {
  const day = today();
  return { period_start: `${day.slice(0, 7)}-01`, period_end: endOfMonth(day) };
}

/** @returns for example "519 records drafted; 1 person already had one" */
function outcomeOf(added: number, skipped: number): string {
  const drafted = `${formatCount(added)} ${added === 1 ? 'record' : 'records'} drafted`;
  if (skipped === 0) return drafted;
  return `${drafted}; ${formatCount(skipped)} ${skipped === 1 ? 'person' : 'people'} already had one`;
}

/** @returns for example "Nov 9 - Nov 15, 2026, paid, and 3 more" */
function describeOverlap({ period_start, period_end, payment_status, records }: Overlap): string {
  const first = `${formatPeriod(period_start, period_end)}, ${STATUS_LABELS[payment_status].toLowerCase()}`;
  return records > 1 ? `${first}, and ${records - 1} more` : first;
}

type SkippedProps = { outcome: string; overlaps: Overlap[]; onClose: () => void };

function Skipped({ outcome, overlaps, onClose }: SkippedProps) {
  return (
    <div className="grid gap-6">
      <Alert title={outcome}>
        {overlaps.length === 1 ? '1 of them has' : `${formatCount(overlaps.length)} of them have`} a
        record of another period that overlaps this one:
      </Alert>
      <ul aria-label="Skipped" className="divide-y divide-line">
        {overlaps.map((overlap) => (
          <li
            key={`${overlap.full_name} ${overlap.period_start}`}
            className="flex flex-wrap items-baseline justify-between gap-x-4 py-2"
          >
            <span className="font-semibold">{overlap.full_name}</span>
            <span className="text-sm text-muted">{describeOverlap(overlap)}</span>
          </li>
        ))}
      </ul>
      <Button className="sm:justify-self-end" onClick={onClose}>
        Done
      </Button>
    </div>
  );
}

type DraftDialogProps = { onClose: () => void };

function DraftDialog({ onClose }: DraftDialogProps) {
  const draft = useDraftPayroll();
  const [skipped, setSkipped] = useState<Omit<SkippedProps, 'onClose'>>();
  const run = runInTheWay(draft.error);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Draft Payroll for a Period"
      description="Adds one pending record, with the suggested deductions, for each active member of staff who has none in this period. No payment is made."
    >
      {skipped ? (
        <Skipped {...skipped} onClose={onClose} />
      ) : (
        <RecordForm
          schema={draftSchema}
          defaultValues={thisMonth()}
          submitLabel="Draft Payroll"
          savingLabel="Drafting..."
          failure="Failed to add payroll record"
          save={draft.mutateAsync}
          onSaved={({ added, skipped: count, overlapping: overlaps }) => {
            if (overlaps.length > 0) {
              setSkipped({ outcome: outcomeOf(added, count), overlaps });
              return;
            }
            showSuccess(outcomeOf(added, count));
            onClose();
          }}
          onCancel={onClose}
        >
          {(form) => (
            <>
              <FieldGrid>
                {createFields(form).day('period_start', 'Period Start')}
                {createFields(form).day('period_end', 'Period End')}
              </FieldGrid>
              {run && (
                <Link
                  to="/admin/payruns/$id"
                  params={{ id: run }}
                  className={buttonStyles({ variant: 'secondary' })}
                >
                  Open the Pay Run
                </Link>
              )}
            </>
          )}
        </RecordForm>
      )}
    </Dialog>
  );
}

export function DraftButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Draft Payroll
      </Button>
      {isOpen && <DraftDialog onClose={() => setOpen(false)} />}
    </>
  );
}
