import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatMoney } from '#shared/money.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Pager, usePages } from '#web/components/list/pager.tsx';
import {
  PrepareButton,
  ReturnState,
  ReturnSteps,
} from '#web/components/tax-return/return-steps.tsx';
import { describeSteps, dueFigures } from '#web/components/tax-return/tax-return.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { EmptyNote } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel } from '#web/components/ui/panel.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { returnsKey } from '#web/lib/data/keys.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE } from '#web/lib/data/pages.ts';
import { formatDay, formatMonths, formatPeriod } from '#web/lib/format/dates.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type OpenedReturn, useFile, usePay, usePrepare, useReopen, useReturnYear } from './api.ts';
import {
  AMOUNT_COLUMNS,
  changesOf,
  describeRate,
  listNotes,
  NUMBER_COLUMNS,
  type PayReturn,
  RETURN_TITLES,
  type ReturnPart,
  type ReturnRow,
  type Schedule,
} from './schema.ts';
import type { ReturnKind, ReturnSearch } from './search.ts';
import { TaxBackPanel } from './tax-back-panel.tsx';

const amountColumns = <Row extends ReturnRow | ReturnPart>(kind: ReturnKind): Column<Row>[] =>
  AMOUNT_COLUMNS[kind].map(({ name, of }) => ({
    header: name,
    className: AMOUNT,
    cell: (row: Row) => formatMoney(of(row), row.currency),
  }));

function peopleColumns(kind: ReturnKind): Column<ReturnRow>[] {
  const number = NUMBER_COLUMNS[kind];
  return [
    {
      header: 'Name',
      card: 'title',
      className: 'font-semibold',
      cell: (row) => <PersonLink id={row.staff_id} name={row.full_name} />,
    },
    {
      header: number.name,
      className: 'tabular-nums',
      cell: (row) => number.of(row) ?? <Badge tone="orange">Missing</Badge>,
    },
    ...amountColumns<ReturnRow>(kind),
  ];
}

const partColumns = (kind: ReturnKind, month: string): Column<ReturnPart>[] => [
  {
    header: 'Pay Run',
    card: 'title',
    className: 'font-semibold',
    cell: ({ pay_run_id, period_start, period_end, pay_group }) => (
      <Link to="/admin/payruns/$id" params={{ id: pay_run_id }} className={PAGE_LINK}>
        {PAY_FREQUENCY_LABELS[pay_group]}, {formatPeriod(period_start, period_end)}
      </Link>
    ),
  },
  {
    header: 'Why',
    card: 'aside',
    cell: ({ is_reversal, period_end }) => {
      if (is_reversal) return <Badge tone="red">Voided since it was filed</Badge>;
      const isLate = period_end.slice(0, 7) !== month.slice(0, 7);
      return isLate ? (
        <Badge tone="orange">Locked since its month was filed</Badge>
      ) : (
        'Of this month'
      );
    },
  },
  {
    header: 'Payslips',
    className: 'text-right tabular-nums',
    cell: ({ payslips }) => formatCount(payslips),
  },
  ...amountColumns<ReturnPart>(kind),
];

type ReturnProps = { kind: ReturnKind; schedule: Schedule };

function Totals({ kind, schedule }: ReturnProps) {
  return (
    <dl className="grid gap-4 lg:grid-cols-2">
      {schedule.totals.map((total) => (
        <div key={total.currency} className="rounded-sm border border-line bg-raised p-4">
          <dt className="text-sm text-muted">
            {total.currency}, {formatCount(total.people)} {total.people === 1 ? 'person' : 'people'}
          </dt>
          {AMOUNT_COLUMNS[kind].map(({ key, name, of }) => (
            <dd key={key} className="mt-1 flex justify-between gap-4">
              <span>{name}</span>
              <strong className="tabular-nums">{formatMoney(of(total), total.currency)}</strong>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function Sources({ kind, schedule }: ReturnProps) {
  return (
    <Panel title="Rates, Sources and Notes">
      <ul className="grid gap-1 text-sm">
        {schedule.rates.map((rate) => (
          <li key={`${rate.kind} ${rate.from_amount}`}>
            {describeRate(rate)}{' '}
            <span className="text-muted">
              From {formatDay(rate.effective_from)}: {rate.source}
            </span>
          </li>
        ))}
      </ul>
      <ul className="mt-4 grid list-disc gap-1 pl-5 text-sm text-muted">
        {listNotes(kind, schedule).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  );
}

function Parts({ kind, schedule }: ReturnProps) {
  const { parts, month } = schedule;
  const columns = useMemo(() => partColumns(kind, month), [kind, month]);
  return (
    <Panel title="Pay Runs in It">
      <DataTable
        label="Pay Runs in It"
        dense
        columns={columns}
        rows={parts}
        rowId={({ pay_run_id, is_reversal }) => `${pay_run_id} ${is_reversal}`}
        room={52}
      />
    </Panel>
  );
}

type PeopleProps = ReturnProps & { page: number; onChange: ChangeSearch<ReturnSearch> };

function People({ kind, schedule: { rows, count }, page, onChange }: PeopleProps) {
  const columns = useMemo(() => peopleColumns(kind), [kind]);
  const onPage = usePages({ rows, total: count }, page, PAGE_SIZE, onChange);
  return (
    <div>
      <DataTable
        label={RETURN_TITLES[kind]}
        dense
        columns={columns}
        rows={rows}
        rowId={({ staff_id, currency }) => `${staff_id} ${currency}`}
      />
      <Pager page={page} pageSize={PAGE_SIZE} total={count} onPage={onPage} />
    </div>
  );
}

type StepsProps = { kind: ReturnKind; month: string; payReturn: PayReturn | null };

function Steps({ kind, month, payReturn }: StepsProps) {
  const of = { kind, month };
  const [prepare, file, pay, reopen] = [usePrepare(), useFile(), usePay(), useReopen()];
  const onPrepare = () => prepare.mutateAsync(of);
  if (!payReturn) {
    return (
      <div className="grid justify-items-start gap-3">
        <p className="max-w-prose">
          A return collects the payslips of locked runs. It can be prepared as often as you like
          until it is filed.
        </p>
        <PrepareButton onPrepare={onPrepare} />
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <p>
        <ReturnState status={payReturn.status} /> {describeSteps(payReturn)}{' '}
        <span className="text-sm text-muted">
          {formatMoney(payReturn.lrd_per_usd, 'LRD')} for one US$ on the last day.
        </span>
      </p>
      <Figures
        figures={[
          ['In US dollars', formatMoney(payReturn.due_usd, 'USD')],
          ['In Liberian dollars', formatMoney(payReturn.due_lrd, 'LRD')],
          ...dueFigures(payReturn),
        ]}
      />
      <ReturnSteps
        taxReturn={payReturn}
        documentOf="pay_return"
        documentKey={returnsKey}
        onPrepare={onPrepare}
        changes={{
          file: (form) => file.mutateAsync({ ...of, ...form }),
          pay: (form) => pay.mutateAsync({ ...of, form }),
          reopen: ({ reason }) => reopen.mutateAsync({ ...of, reason }),
        }}
      />
    </div>
  );
}

/** What has changed in the pay runs of a month since its return was filed. */
function Changes({ kind, month }: Omit<StepsProps, 'payReturn'>) {
  const { data = [] } = useReturnYear(kind, month.slice(0, 4));
  const found = data.find((each) => each.month === `${month}-01`);
  const changes = found ? changesOf(found) : [];
  if (changes.length === 0) return null;
  return (
    <Alert title="Pay runs have changed since this return was filed">
      {changes
        .map(
          ({ currency, more }) =>
            `${formatMoney(Math.abs(more), currency)} ${more > 0 ? 'more' : 'less'} is due now.`,
        )
        .join(' ')}{' '}
      The next return that is filed has the difference.
    </Alert>
  );
}

function Numbers({ kind, schedule }: ReturnProps) {
  const { missing } = schedule;
  if (missing === 0) return null;
  return (
    <Alert
      title={
        missing === 1
          ? `1 person has no ${NUMBER_COLUMNS[kind].name}`
          : `${formatCount(missing)} people have no ${NUMBER_COLUMNS[kind].name}`
      }
    >
      Enter it under{' '}
      <Link to="/admin/payroll/returns" search={{ tab: 'numbers' }} className={PAGE_LINK}>
        Numbers
      </Link>
      , then prepare the return again.
    </Alert>
  );
}

type MonthPanelProps = {
  kind: ReturnKind;
  /** yyyy-MM */
  month: string;
  opened: OpenedReturn;
  page: number;
  onChange: ChangeSearch<ReturnSearch>;
};

/** The return of a month: its state, its sums, the runs and the people behind them. */
export function MonthPanel({ kind, month, opened, page, onChange }: MonthPanelProps) {
  const { schedule, payReturn } = opened;
  const { count, open_runs, due_on } = schedule;
  const hasReturn = count > 0 || payReturn !== null;
  return (
    <div className="grid grid-cols-1 gap-5">
      <p>
        {RETURN_TITLES[kind]} for {formatMonths(schedule.month, schedule.month)}, due{' '}
        <strong>{formatDay(due_on)}</strong>
      </p>
      {open_runs > 0 && (
        <Alert
          title={`${open_runs === 1 ? '1 pay run' : `${open_runs} pay runs`} of this month not locked yet`}
        >
          The schedule contains locked runs only. Lock all runs of the month to complete it.
        </Alert>
      )}
      <Changes kind={kind} month={month} />
      {kind === 'paye' && <TaxBackPanel />}
      {hasReturn && <Steps kind={kind} month={month} payReturn={payReturn} />}
      {count === 0 ? (
        <EmptyNote>
          No locked pay run ends in this month. A return is made of locked runs:{' '}
          <Link to="/admin/payruns" className={PAGE_LINK}>
            Pay Runs
          </Link>
        </EmptyNote>
      ) : (
        <>
          <Totals kind={kind} schedule={schedule} />
          <Numbers kind={kind} schedule={schedule} />
          <Parts kind={kind} schedule={schedule} />
          <People {...{ kind, schedule, page, onChange }} />
        </>
      )}
      <Sources kind={kind} schedule={schedule} />
    </div>
  );
}
