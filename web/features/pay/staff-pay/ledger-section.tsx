import { Link } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { formatDay, formatPayPeriod, today } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { LEDGER_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type LedgerEntry, type LedgerIssue, useBases, useLedger } from './api.ts';
import { IssueDialog, ScheduleDialog, SettleDialog } from './ledger-dialogs.tsx';
import { currentBasis } from './schema.ts';

function Entry({ entry }: { entry: LedgerEntry }) {
  const run = entry.line?.slip.run;
  return (
    <li className="py-1.5">
      <p className="flex flex-wrap justify-between gap-x-4">
        {run ? (
          <Link
            to="/admin/payruns/$id"
            params={{ id: run.id }}
            className="relative -my-2.5 inline-flex min-h-11 items-center underline decoration-accent/35 underline-offset-4 hover:decoration-accent"
          >
            Pay run {formatPayPeriod(run.period_start, run.period_end)}
          </Link>
        ) : (
          <span>
            {entry.entry === 'write_off' ? 'Written off' : 'Repaid'} {formatDay(entry.day)}
            {entry.author && ` by ${formatName(entry.author)}`}
          </span>
        )}
        <span className="tabular-nums">{formatMoney(entry.amount, entry.currency)}</span>
      </p>
      <p className="text-muted [overflow-wrap:anywhere]">{entry.note ?? entry.line?.explanation}</p>
    </li>
  );
}

type Action = 'schedule' | 'repayment' | 'write_off';
type RowProps = { issue: LedgerIssue; onAct: (action: Action) => void };

function IssueRow({ issue, onAct }: RowProps) {
  const { kind, amount, balance, currency, repay_per_period, repay_from, note, entries } = issue;
  const money = (figure: number) => formatMoney(figure, currency);
  const isOpen = balance > 0;
  const title = `${LEDGER_KIND_LABELS[kind]} of ${money(amount)}`;
  return (
    <li className="px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <div className="min-w-0">
          <p className="font-semibold tabular-nums">{title}</p>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            {[`Given ${formatDay(issue.day)}`, note].filter(Boolean).join(': ')}
          </p>
        </div>
        {isOpen ? (
          <p className="font-semibold tabular-nums">{money(balance)} owed</p>
        ) : (
          <Badge tone="grey">Settled</Badge>
        )}
      </div>
      {isOpen && (
        <p className="mt-1 text-sm tabular-nums">
          {repay_from <= today()
            ? 'The next pay run takes '
            : `The first pay run that ends on ${formatDay(repay_from)} or later takes `}
          {money(Math.min(repay_per_period, balance))} at most.
        </p>
      )}
      {entries.length > 0 && (
        <details className="text-sm">
          <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-accent">
            {entries.length === 1 ? '1 repayment' : `${entries.length} repayments`}
          </summary>
          <ul className="divide-y divide-line border-y border-line">
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        </details>
      )}
      {isOpen && (
        <div className="-ml-3 flex flex-wrap *:px-3">
          <Button
            variant="ghost"
            aria-label={`Reschedule: ${title}`}
            onClick={() => onAct('schedule')}
          >
            Reschedule
          </Button>
          <Button variant="ghost" aria-label={`Repay: ${title}`} onClick={() => onAct('repayment')}>
            Repay
          </Button>
          <Button
            variant="danger-ghost"
            aria-label={`Write Off: ${title}`}
            onClick={() => onAct('write_off')}
          >
            Write Off
          </Button>
        </div>
      )}
    </li>
  );
}

type DialogProps = { staffId: string; issue: LedgerIssue; onClose: () => void };

const DIALOGS: Record<Action, ComponentType<DialogProps>> = {
  schedule: ScheduleDialog,
  repayment: (props) => <SettleDialog {...props} entry="repayment" />,
  write_off: (props) => <SettleDialog {...props} entry="write_off" />,
};

type SectionProps = { staffId: string; name: string };

/** Advances, loans, uniforms and other amounts that a person repays from pay. */
export function LedgerSection({ staffId, name }: SectionProps) {
  const query = useLedger(staffId);
  const { data: bases = [] } = useBases(staffId);
  const [isGiving, setGiving] = useState(false);
  const [opened, setOpened] = useState<{ id: string; action: Action }>();
  const close = () => setOpened(undefined);
  const issue = query.data?.issues.find(({ id }) => id === opened?.id);
  const Opened = opened && DIALOGS[opened.action];
  return (
    <LoadedCard title="Advances and Loans" query={query} loadingText="Loading the ledger...">
      {({ issues, share }) => {
        const open = issues.filter(({ balance }) => balance > 0);
        const settled = issues.filter(({ balance }) => balance <= 0);
        const rowOf = (each: LedgerIssue) => (
          <IssueRow
            key={each.id}
            issue={each}
            onAct={(action) => setOpened({ id: each.id, action })}
          />
        );
        return (
          <>
            {open.length === 0 && <p className="px-4 py-8 text-center text-muted">Nothing owed.</p>}
            <ul className="divide-y divide-line">{open.map(rowOf)}</ul>
            {open.length > 0 && share !== undefined && (
              <p className="border-t border-line px-4 py-3 text-sm text-pretty text-muted sm:px-5">
                A pay run takes at most {Math.round(share * 10_000) / 100} % of net pay for all
                repayments together, the oldest first. The rest waits for the next run.
              </p>
            )}
            {settled.length > 0 && (
              <details className="border-t border-line">
                <summary className="flex min-h-11 cursor-pointer items-center px-4 text-sm font-semibold text-accent sm:px-5">
                  Settled ({settled.length})
                </summary>
                <ul className="divide-y divide-line">{settled.map(rowOf)}</ul>
              </details>
            )}
            <div className="border-t border-line px-4 py-3 sm:px-5">
              <Button variant="secondary" onClick={() => setGiving(true)}>
                Give Advance or Loan
              </Button>
            </div>
            {isGiving && (
              <IssueDialog
                staffId={staffId}
                name={name}
                currency={currentBasis(bases)?.currency ?? 'USD'}
                onClose={() => setGiving(false)}
              />
            )}
            {Opened && issue && <Opened staffId={staffId} issue={issue} onClose={close} />}
          </>
        );
      }}
    </LoadedCard>
  );
}
