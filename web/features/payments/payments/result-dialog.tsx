// Records what came of the lines of a file: from the provider's result, or line by line.

import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { formatMoney } from '#shared/money.ts';
import { NotSaved } from '#web/components/form/not-saved.tsx';
import { SkipLink } from '#web/components/layout/skip-link.tsx';
import { ImportFile } from '#web/components/list/file-import.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import type { ReadFile } from '#web/lib/files/read-table.ts';
import { today } from '#web/lib/format/dates.ts';
import { PAY_CHANNEL_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { useFormats, useRecordResult } from './api.ts';
import { type Lines, readResult, resultColumns, toResultLines } from './result-file.ts';
import { describeOutcome, type Payment, type PaymentFile } from './schema.ts';

type ResultDialogProps = {
  file: PaymentFile;
  payments: Payment[];
  onClose: () => void;
};

type PartProps = ResultDialogProps & {
  busy: boolean;
  /** Why nothing was recorded. */
  refusal: string | undefined;
  record: (lines: Lines) => void;
  /** Forgets the refusal, for another file. */
  reset: () => void;
};

function FromFile({ file, busy, refusal, record, reset }: PartProps) {
  const { data: formats = [] } = useFormats();
  const [read, setRead] = useState<ReadFile>();
  const [problem, setProblem] = useState<string>();
  const format = formats.find(
    ({ channel, currency }) => channel === file.channel && currency === file.currency,
  );
  if (!format) return null;
  const columns = resultColumns(format);
  const isReadable = read?.rows.every((row) => row.problem === undefined);
  function choose(chosen: File | undefined) {
    setRead(undefined);
    setProblem(undefined);
    reset();
    if (!chosen || !format) return;
    readResult(chosen, format)
      .then(setRead)
      .catch((error: unknown) => setProblem(describeError(error)));
  }
  return (
    <div className="grid gap-5 pt-5">
      <ImportFile
        label="Result"
        hint={`An Excel or CSV file with the columns ${columns.map(({ heading }) => heading).join(', ')}`}
        template={{ records: 'Payment Result', columns }}
        file={read && { ...read, ignored: [] }}
        problem={problem}
        problemTitle="The file can’t be read"
        onChoose={choose}
      />
      <NotSaved title="Result not recorded" reason={refusal} />
      {read && isReadable && (
        <Button
          className="sm:justify-self-end"
          busy={busy}
          onClick={() => record(toResultLines(read.rows))}
        >
          {busy ? 'Recording...' : `Record ${read.rows.length}`}
        </Button>
      )}
    </div>
  );
}

type LinesProps = {
  id: string;
  /** For example "without a result". */
  what: string;
  payments: Payment[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
};

function LineChoice({ id, what, payments, chosen, onChange }: LinesProps) {
  const isAll = payments.every(({ code }) => chosen.has(code));
  const toggle = (code: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(code);
    else next.delete(code);
    onChange(next);
  };
  return (
    <>
      <div className="relative flex min-h-11 items-center gap-3 font-semibold">
        <Checkbox
          id={`${id}-all`}
          checked={isAll}
          onChange={() => onChange(new Set(isAll ? [] : payments.map(({ code }) => code)))}
        />
        <label htmlFor={`${id}-all`}>
          All {payments.length} {what}
        </label>
        <SkipLink to={`${id}-result`} className="focus:absolute focus:right-0">
          Skip the lines
        </SkipLink>
      </div>
      <ul className="max-h-72 divide-y divide-line overflow-y-auto border-y border-line">
        {payments.map(({ code, line, staff, amount, currency }) => (
          <li key={code} className="relative flex min-h-11 items-center gap-3 py-1">
            <Checkbox
              id={`line-${code}`}
              checked={chosen.has(code)}
              onChange={({ target }) => toggle(code, target.checked)}
            />
            <label htmlFor={`line-${code}`} className="min-w-0 flex-1">
              {line}. {staff.full_name}
            </label>
            <span className="tabular-nums">{formatMoney(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The chosen lines with one status, a day and a reason. */
function useLines(payments: Payment[], status: Payment['status']) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [day, setDay] = useState(today);
  const [reason, setReason] = useState('');
  const lines = payments.filter((payment) => payment.status === status);
  const codes = lines.filter(({ code }) => chosen.has(code)).map(({ code }) => code);
  return { lines, codes, chosen, setChosen, day, setDay, reason, setReason };
}

type DayAndReasonProps = {
  id: string;
  dayLabel: string;
  reasonLabel: string;
  lines: ReturnType<typeof useLines>;
};

function DayAndReason({ id, dayLabel, reasonLabel, lines }: DayAndReasonProps) {
  return (
    <div id={`${id}-result`} tabIndex={-1} className="grid gap-4 outline-none sm:grid-cols-2">
      <Field label={dayLabel}>
        {(control) => (
          <Input
            {...control}
            type="date"
            value={lines.day}
            onChange={({ target }) => lines.setDay(target.value)}
          />
        )}
      </Field>
      <Field label={reasonLabel}>
        {(control) => (
          <Input
            {...control}
            value={lines.reason}
            maxLength={limits.PAYMENTS_FAILURE_MAX}
            onChange={({ target }) => lines.setReason(target.value)}
          />
        )}
      </Field>
    </div>
  );
}

function LineByLine({ payments, busy, refusal, record }: PartProps) {
  const waiting = useLines(payments, 'in_file');
  const { codes, day, reason } = waiting;
  return (
    <div className="grid gap-4 pt-5">
      <LineChoice
        id="line"
        what="without a result"
        payments={waiting.lines}
        chosen={waiting.chosen}
        onChange={waiting.setChosen}
      />
      <DayAndReason id="line" dayLabel="Paid On" reasonLabel="Reason If Not Paid" lines={waiting} />
      <NotSaved title="Result not recorded" reason={refusal} />
      <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Button
          variant="secondary"
          busy={busy}
          disabled={codes.length === 0 || reason.trim() === ''}
          onClick={() =>
            record(codes.map((code) => ({ code, status: 'failed', failure: reason.trim() })))
          }
        >
          Not Paid
        </Button>
        <Button
          busy={busy}
          disabled={codes.length === 0 || day === ''}
          onClick={() => record(codes.map((code) => ({ code, status: 'paid', paid_on: day })))}
        >
          {codes.length === 0 ? 'Paid' : `Paid: ${codes.length}`}
        </Button>
      </div>
    </div>
  );
}

/** Lines that were recorded as paid, and that the bank sent back since. */
function ReturnedLines({ payments, busy, refusal, record }: PartProps) {
  const paid = useLines(payments, 'paid');
  const { codes, day, reason } = paid;
  return (
    <div className="grid gap-4 pt-5">
      <LineChoice
        id="return"
        what="recorded as paid"
        payments={paid.lines}
        chosen={paid.chosen}
        onChange={paid.setChosen}
      />
      <DayAndReason id="return" dayLabel="Returned On" reasonLabel="Reason" lines={paid} />
      <NotSaved title="Return not recorded" reason={refusal} />
      <Button
        className="sm:justify-self-end"
        busy={busy}
        disabled={codes.length === 0 || day === '' || reason.trim() === ''}
        onClick={() =>
          record(
            codes.map((code) => ({
              code,
              status: 'failed',
              failure: reason.trim(),
              paid_on: day,
            })),
          )
        }
      >
        {codes.length === 0 ? 'Returned' : `Returned: ${codes.length}`}
      </Button>
    </div>
  );
}

export function ResultDialog(props: ResultDialogProps) {
  const { file, onClose } = props;
  const { mutateAsync, isPending } = useRecordResult();
  const [refusal, setRefusal] = useState<string>();
  const reset = () => setRefusal(undefined);
  function record(lines: Lines) {
    reset();
    mutateAsync({ fileId: file.id, lines })
      .then((outcome) => {
        showSuccess('Result recorded', describeOutcome(outcome));
        onClose();
      })
      .catch((error: unknown) => setRefusal(describeError(error)));
  }
  const part = { ...props, busy: isPending, refusal, record, reset };
  const has = (status: Payment['status']) => props.payments.some((one) => one.status === status);
  const first = !has('in_file') ? 'returned' : file.channel === 'cash' ? 'lines' : 'file';
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Record Result"
      description={`File ${file.number}, ${PAY_CHANNEL_LABELS[file.channel]}. Failed and returned payments go back to be paid again.`}
      className="sm:max-w-2xl"
    >
      <Tabs defaultValue={first}>
        <TabsList>
          <TabsTrigger value="file">From a File</TabsTrigger>
          {has('in_file') && <TabsTrigger value="lines">Line by Line</TabsTrigger>}
          {has('paid') && <TabsTrigger value="returned">Returned</TabsTrigger>}
        </TabsList>
        <TabsContent value="file">
          <FromFile {...part} />
        </TabsContent>
        <TabsContent value="lines">
          <LineByLine {...part} />
        </TabsContent>
        <TabsContent value="returned">
          <ReturnedLines {...part} />
        </TabsContent>
      </Tabs>
    </Dialog>
  );
}
