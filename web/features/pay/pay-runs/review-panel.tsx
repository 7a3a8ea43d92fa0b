import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatMoney, parseCents } from '#shared/money.ts';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel, ScrollRegion } from '#web/components/ui/panel.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { formatMinutes } from '#web/lib/format/dates.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { findFrequency, type Review, useReview } from './api.ts';
import type { PayRun, Problem } from './schema.ts';

type PointProps = {
  id: string | null | undefined;
  name: string | null | undefined;
  children: ReactNode;
};

function Point({ id, name, children }: PointProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 py-2">
      {name && (
        <span className="font-semibold">
          <PersonLink id={id} name={name} />
        </span>
      )}
      <span className="text-muted tabular-nums">{children}</span>
    </li>
  );
}

/** In the order of their weight. */
const PROBLEMS: Record<string, string> = {
  hours_not_approved: 'Hours not approved, and not paid now',
  no_account: 'No user account, so no hours',
  other_currency: 'Pay items in another currency, left out',
  adjustment_waits: 'Corrections above the pay; the rest waits',
  adjustment_currency: 'Corrections in another currency, which wait',
  debt_currency: 'Debts in another currency, not repaid',
};

/** Hundreds of sentences: each reason with its count, opened on press. */
function Problems({ problems }: { problems: Problem[] }) {
  if (problems.length === 0) return null;
  const codes = [...new Set([...Object.keys(PROBLEMS), ...problems.map(({ code }) => code)])];
  return (
    <Panel title={`Not Settled (${formatCount(problems.length)})`}>
      <div className="divide-y divide-line border-y border-line">
        {codes.map((code) => {
          const found = problems.filter((problem) => problem.code === code);
          if (found.length === 0) return null;
          return (
            <details key={code}>
              <summary className="flex min-h-11 cursor-pointer items-center gap-x-3 py-1 font-semibold marker:content-none">
                <ChevronRight
                  aria-hidden="true"
                  className="size-4 shrink-0 text-muted transition-transform in-open:rotate-90"
                />
                <span className="min-w-0 flex-1">{PROBLEMS[code] ?? code}</span>
                <span className="tabular-nums">{formatCount(found.length)}</span>
              </summary>
              {code === 'adjustment_currency' && (
                <p className="pb-2 pl-7">
                  <Link
                    to="/admin/payruns/adjustments"
                    search={{ status: 'approved' }}
                    className={PAGE_LINK}
                  >
                    Convert under Adjustments
                  </Link>
                </p>
              )}
              <ul className="mb-3 max-h-96 divide-y divide-line overflow-y-auto border-t border-line pl-7">
                {found.map(({ staff_id, name, text }) => (
                  <Point key={`${staff_id ?? ''} ${text}`} id={staff_id} name={name}>
                    {text}
                  </Point>
                ))}
              </ul>
            </details>
          );
        })}
      </div>
    </Panel>
  );
}

type PointsProps = { title: string; count: number; remedy?: ReactNode; children: ReactNode };

function Points({ title, count, remedy, children }: PointsProps) {
  if (count === 0) return null;
  return (
    <Panel title={`${title} (${formatCount(count)})`}>
      {remedy}
      <ul className="max-h-96 divide-y divide-line overflow-y-auto border-t border-line">
        {children}
      </ul>
    </Panel>
  );
}

/** Sentences of the database's findings, by their code. */
const FINDINGS: Record<string, string> = {
  payroll_exists: 'Payroll records beside this run',
  under_minimum: 'Pay for the hours under the minimum wage',
  pay_without_hours: 'Pay without hours',
  hours_without_pay: 'Hours without pay',
};

const hoursOf = (minutes: number) => formatMinutes(Math.round(minutes));

type Finding = Review['findings'][number];

function figuresOf(finding: Finding, currency: string): string {
  const { code, amount, limit_amount, minutes, text } = finding;
  if (text !== '') return text;
  if (code === 'hours_without_pay') return hoursOf(minutes);
  const money = formatMoney(amount, currency);
  if (code !== 'under_minimum') return money;
  const hours = minutes > 0 ? ` for ${hoursOf(minutes)}` : '';
  return `${money}${hours} of at least ${formatMoney(limit_amount, currency)}`;
}

/** Shown where the title doesn't tell what to do. */
function Remedy({ code, run }: { code: string; run: PayRun }) {
  if (code !== 'payroll_exists') return null;
  return (
    <p className="mb-3 text-muted">
      The run can’t be locked beside them. Cancel or delete them under{' '}
      <Link to="/admin/payroll" search={{ status: 'pending' }} className={PAGE_LINK}>
        Payroll
      </Link>
      , or void this run if {PAY_FREQUENCY_LABELS[findFrequency(run)].toLowerCase()} pay of this
      period is made by hand.
    </p>
  );
}

const CHANGES: Record<string, string> = { new: 'New', gone: 'Gone', more: 'More', less: 'Less' };

function Changes({ run, changes }: { run: PayRun; changes: Review['changes'] }) {
  if (changes.length === 0) return null;
  const money = (amount: number | null) =>
    amount === null ? '-' : formatMoney(amount, run.currency);
  return (
    <Panel title={`Changes Since the Last Run (${formatCount(changes.length)})`}>
      <ScrollRegion label="Changes since the last run">
        <table className="w-full text-right tabular-nums">
          <thead className="text-sm text-muted">
            <tr>
              <th scope="col" className="py-2 pr-3 text-left">
                Staff Name
              </th>
              <th scope="col" className="px-3 py-2 text-left">
                Change
              </th>
              <th scope="col" className="px-3 py-2">
                Net Before
              </th>
              <th scope="col" className="px-3 py-2">
                Net Now
              </th>
              <th scope="col" className="py-2 pl-3">
                Difference
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map((one) => (
              <tr key={one.staff_id} className="border-t border-line">
                <th scope="row" className="py-2 pr-3 text-left font-semibold">
                  <PersonLink id={one.staff_id} name={one.full_name} />
                </th>
                <td className="px-3 py-2 text-left">{CHANGES[one.change] ?? one.change}</td>
                <td className="px-3 py-2 whitespace-nowrap">{money(one.net_before)}</td>
                <td className="px-3 py-2 whitespace-nowrap">{money(one.net_after)}</td>
                <td className="py-2 pl-3 font-semibold whitespace-nowrap">
                  {parseCents(one.difference) > 0n && '+'}
                  {money(one.difference)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  );
}

/** To check before the run is approved: unsettled points, odd payslips, changes since the last run. */
export function ReviewPanel({ run, problems }: { run: PayRun; problems: Problem[] }) {
  const query = useReview(run.id, run.calculated_at);
  if (run.status === 'draft') return <EmptyNote>Calculate the run first.</EmptyNote>;
  return (
    <Loaded query={query} loadingText="Loading the review...">
      {({ changes, findings }) =>
        problems.length + changes.length + findings.length === 0 ? (
          <EmptyNote>Nothing to look at</EmptyNote>
        ) : (
          <div className="grid gap-6 *:min-w-0">
            <Problems problems={problems} />
            {Object.entries(FINDINGS).map(([code, title]) => {
              const found = findings.filter((finding) => finding.code === code);
              return (
                <Points
                  key={code}
                  title={title}
                  count={found.length}
                  remedy={<Remedy code={code} run={run} />}
                >
                  {found.map((finding) => (
                    <Point
                      key={`${finding.user_id ?? finding.staff_id} ${finding.text}`}
                      id={finding.staff_id ?? finding.user_id}
                      name={finding.full_name}
                    >
                      {figuresOf(finding, run.currency)}
                    </Point>
                  ))}
                </Points>
              );
            })}
            <Changes run={run} changes={changes} />
          </div>
        )
      }
    </Loaded>
  );
}
