import { useMemo, useState } from 'react';
import { PAY_BASES_BASIS, STAFF_PAYMENT_FREQUENCY } from '#shared/database.values.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { toPeriods } from '#web/lib/data/dated-versions.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { describeBasis } from '#web/lib/format/pay-basis.ts';
import { PAY_BASIS_LABELS, PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import { basesOf, useBases } from './api.ts';
import { DatedRow } from './dated-row.tsx';
import { currentBasis, type PayBasis } from './schema.ts';

const STATES: Record<'now' | 'later' | 'past', [label: string, tone: Tone]> = {
  now: ['Current', 'green'],
  later: ['Later', 'blue'],
  past: ['Ended', 'grey'],
};

type Period = ReturnType<typeof toPeriods<PayBasis>>[number];
type Opened = { id: string; isDeleted: boolean };
type RowProps = { period: Period; isOnly: boolean; onOpen: (opened: Opened) => void };

function BasisRow({ period, isOnly, onOpen }: RowProps) {
  const { row, lastDay, state } = period;
  const [label, tone] = STATES[state];
  return (
    <DatedRow
      heading={
        <>
          {describeBasis(row)}
          <Badge tone={tone}>{label}</Badge>
        </>
      }
      from={row.effective_from}
      to={lastDay}
      name={`pay basis from ${formatDay(row.effective_from)}`}
      onEdit={() => onOpen({ id: row.id, isDeleted: false })}
      onDelete={!isOnly && (() => onOpen({ id: row.id, isDeleted: true }))}
    />
  );
}

export function BasisSection({ staffId, name }: { staffId: string; name: string }) {
  const query = useBases(staffId);
  const rows = query.data ?? [];
  const periods = toPeriods(rows, today());
  const current = currentBasis(rows);
  const records = useMemo(() => basesOf(staffId, current), [staffId, current]);
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const deleted = opened?.isDeleted ? rows.find(({ id }) => id === opened.id) : undefined;
  return (
    <LoadedCard title="Pay Basis" query={query} loadingText="Loading pay basis...">
      {() => (
        <>
          <ul className="divide-y divide-line">
            {periods.map((period) => (
              <BasisRow
                key={period.row.id}
                period={period}
                isOnly={rows.length === 1}
                onOpen={setOpened}
              />
            ))}
          </ul>
          <div className="border-t border-line px-4 py-3 sm:px-5">
            <Button variant="secondary" onClick={() => setOpened({ id: 'new', isDeleted: false })}>
              Change Pay
            </Button>
          </div>
          {opened && !opened.isDeleted && (
            <RecordDialog
              open={opened.id}
              listed={rows}
              records={records}
              addTitle="Change Pay"
              addLabel="Save Change"
              added="Pay changed"
              updated="Pay basis changed"
              failedToAdd="Pay not changed"
              failedToUpdate="Pay basis not changed"
              onClose={close}
            >
              {(form, row) => {
                const field = createFields(form);
                const basis = form.watch('basis');
                const from = form.watch('effective_from');
                return (
                  <FieldGrid>
                    {field.select('basis', 'Paid By', toOptions(PAY_BASES_BASIS, PAY_BASIS_LABELS))}
                    {field.select(
                      'payment_frequency',
                      'Payment Frequency',
                      toOptions(STAFF_PAYMENT_FREQUENCY, PAY_FREQUENCY_LABELS),
                    )}
                    {field.amount(
                      'amount',
                      {
                        salary: 'Amount Each Payment',
                        hourly: 'Amount an Hour',
                        shift: 'Amount a Shift',
                      }[basis],
                    )}
                    {field.currency('currency', 'Currency')}
                    {field.day('effective_from', 'From', {
                      wide: true,
                      hint:
                        (row?.effective_from ?? from) < today()
                          ? 'Periods that are locked keep what was paid. Propose corrections in their pay run.'
                          : `${name} is paid as before until then.`,
                    })}
                  </FieldGrid>
                );
              }}
            </RecordDialog>
          )}
          {deleted && (
            <DeleteRecordDialog
              records={records}
              id={deleted.id}
              consequence={`${describeBasis(deleted)}, from ${formatDay(deleted.effective_from)}. The previous pay basis applies instead; locked periods keep what was paid.`}
              onClose={close}
            />
          )}
        </>
      )}
    </LoadedCard>
  );
}
