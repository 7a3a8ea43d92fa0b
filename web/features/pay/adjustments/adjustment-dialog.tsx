import { formatMoney } from '#shared/money.ts';
import { Decision, DecisionForm } from '#web/components/form/decision-form.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import {
  formatDateTime,
  formatDay,
  formatMinutes,
  formatPayPeriod,
} from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { OTHER_PAYERS } from '#web/lib/vocabulary/deciders.ts';
import { ADJUSTMENT_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { findPerson, useAdjustment, useConvert, useDecide, useValue } from './api.ts';
import { type Adjustment, decisionSchema, findStatus, isOwn } from './schema.ts';

type Value = Pick<Adjustment, 'figure_before' | 'figure_after' | 'amount' | 'currency'>;

function Figures({ value }: { value: Value }) {
  const { figure_before, figure_after, amount, currency } = value;
  const money = (figure: number | null) =>
    figure === null ? '-' : formatMoney(figure, currency ?? 'USD');
  return (
    <dl className="grid grid-cols-3 gap-4 rounded-sm bg-sunken px-4 py-3 tabular-nums">
      <Item name="Paid">{money(figure_before)}</Item>
      <Item name="Recomputed">{money(figure_after)}</Item>
      <Item name="Amount">
        <strong className="text-lg">{money(amount)}</strong>
      </Item>
    </dl>
  );
}

/** Late hours have no figures before they are approved. */
function LateFigures({ id }: { id: string }) {
  const query = useValue(id);
  return (
    <Loaded query={query} loadingText="Valuing the hours...">
      {(value) =>
        value?.amount == null ? (
          <Alert title="The pay run of this period is not locked">
            Approved, these hours are attendance, and the run of the period pays them.
          </Alert>
        ) : (
          <Figures value={{ ...value, currency: value.currency === 'LRD' ? 'LRD' : 'USD' }} />
        )
      }
    </Loaded>
  );
}

function DecisionPart({ row, onClose }: { row: Adjustment; onClose: () => void }) {
  const { mutateAsync } = useDecide();
  return (
    <DecisionForm
      schema={decisionSchema}
      hint={
        row.kind === 'late_event'
          ? 'Kept with the decision. Approved, the hours also count as attendance: for coverage and to be billed.'
          : 'Kept with the decision.'
      }
      decide={async (outcome, note) => {
        await mutateAsync({ ids: [row.id], isApproved: outcome === 'approved', note });
        showSuccess(`Adjustment ${outcome}`);
        onClose();
      }}
      onCancel={onClose}
    />
  );
}

/** An approved amount is paid in its own currency, by a run of it, or converted. */
function ConversionPart({ row }: { row: Adjustment }) {
  const { mutateAsync } = useConvert();
  const { save, busy } = useSave();
  const {
    amount,
    currency,
    converted_amount,
    converted_currency,
    exchange_rate,
    exchange_rate_on,
  } = row;
  if (amount === null || currency === null) return null;
  const isConverted = converted_currency !== null;
  const other = currency === 'LRD' ? 'USD' : 'LRD';
  const next = isConverted ? currency : other;
  const convert = () =>
    save(async () => {
      await mutateAsync({ id: row.id, currency: next });
      showSuccess(isConverted ? `Paid in ${currency} again` : `Converted to ${next}`);
    });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <p className="min-w-0 flex-1 text-muted">
        {isConverted && converted_amount !== null && exchange_rate_on !== null
          ? `Paid as ${formatMoney(converted_amount, converted_currency)}, at L$${exchange_rate} per US$ of ${formatDay(exchange_rate_on)}.`
          : `Paid by the next run in ${currency}.`}
      </p>
      <Button variant="secondary" busy={busy} onClick={() => void convert()}>
        {isConverted ? `Pay in ${currency}` : `Convert to ${next}`}
      </Button>
    </div>
  );
}

function Details({ row, onClose }: { row: Adjustment; onClose: () => void }) {
  const { user } = useAuth();
  const isToDecide = row.status === 'to_decide';
  const isToValue =
    row.kind === 'late_event' && (row.status === 'to_decide' || row.status === 'rejected');
  return (
    <div data-first-focus tabIndex={-1} className="grid gap-6 outline-none">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3">
        <Item name="Person">
          <PersonLink id={row.user_id ?? row.staff_id} name={findPerson(row)} />
        </Item>
        <Item name="Kind">{ADJUSTMENT_KIND_LABELS[row.kind]}</Item>
        <Item name="Period">{formatPayPeriod(row.period_start, row.period_end)}</Item>
        <Item name="Status">
          <StatusBadge status={findStatus(row)} />
        </Item>
        {row.item_rule_id !== null && (
          <Item name="Income tax">{row.taxable ? 'Taxed' : 'Not taxed'}</Item>
        )}
        <Item name="Noted">{formatDateTime(row.created_at)}</Item>
        {row.minutes !== null && <Item name="Hours">{formatMinutes(row.minutes)}</Item>}
      </dl>
      {isToValue ? <LateFigures id={row.id} /> : <Figures value={row} />}
      <blockquote className="border-l-4 border-accent-fill bg-sunken px-5 py-4 [overflow-wrap:anywhere] whitespace-pre-line">
        {row.explanation}
      </blockquote>
      {row.status !== 'to_decide' && (
        <Decision
          status={row.status}
          by={row.decider && formatName(row.decider)}
          at={row.decided_at}
          note={row.note}
        />
      )}
      {row.status === 'approved' && row.payslip_line_id === null && !isOwn(row, user?.id) && (
        <ConversionPart row={row} />
      )}
      {isToDecide &&
        (isOwn(row, user?.id) ? (
          <Alert title="Someone else must decide this adjustment">
            It is about your own pay, or you entered it, so {OTHER_PAYERS} decides it.
          </Alert>
        ) : (
          <DecisionPart row={row} onClose={onClose} />
        ))}
    </div>
  );
}

export function AdjustmentDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <DetailDialog
      query={useAdjustment(id)}
      title="Adjustment"
      missing="This adjustment does not exist."
      onClose={onClose}
    >
      {(row) => <Details row={row} onClose={onClose} />}
    </DetailDialog>
  );
}
