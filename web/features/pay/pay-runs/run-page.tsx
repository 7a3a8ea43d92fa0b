import type { ReactNode } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatMoney } from '#shared/money.ts';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { findFrequency, usePayRun } from './api.ts';
import { ReviewPanel } from './review-panel.tsx';
import { RunActions } from './run-actions.tsx';
import { RunSteps } from './run-steps.tsx';
import { isOpen, oldRateNote, type PayRun, problemsSchema } from './schema.ts';
import { RUN_TABS, type RunPageSearch } from './search.ts';
import { SlipList } from './slip-list.tsx';

function figuresOf(run: PayRun): [name: string, figure: string][] {
  return [
    ['People', formatCount(run.people)],
    ['Gross', formatMoney(run.gross, run.currency)],
    ['Deductions', formatMoney(run.deductions, run.currency)],
    ['Net', formatMoney(run.net, run.currency)],
    ['Employer’s NASSCORP', formatMoney(run.employer_cost, run.currency)],
  ];
}

type RunPageProps = {
  id: string;
  search: RunPageSearch;
  onChange: ChangeSearch<RunPageSearch>;
  renderPayments: (runId: string) => ReactNode;
  /** For amounts that the run could pay once they are decided. */
  renderToDecide: () => ReactNode;
};

/** A run from its draft to the last payment. */
export function RunPage({ id, search, onChange, ...parts }: RunPageProps) {
  const query = usePayRun(id);
  return (
    <Loaded query={query} loadingText="Loading the pay run..." missing="No such pay run">
      {(run) => {
        const period = formatPayPeriod(run.period_start, run.period_end);
        const problems = problemsSchema.catch([]).parse(run.problems);
        const oldRate = oldRateNote(run);
        const { tab = 'payslips' } = search;
        return (
          <>
            <Breadcrumbs trail={[{ label: 'Pay Runs', to: '/admin/payruns' }]} current={period} />
            <ScreenHeading
              title={period}
              subtitle={`${PAY_FREQUENCY_LABELS[findFrequency(run)]}, paid in ${run.currency}, L$${run.lrd_per_usd} per US$`}
            >
              <RunActions run={run} problems={problems} />
            </ScreenHeading>
            <div className="grid grid-cols-1 gap-6">
              {run.status === 'void' ? (
                <p>
                  <StatusBadge status="void" /> <span className="ml-2">{run.void_reason}</span>
                </p>
              ) : (
                <RunSteps run={run} />
              )}
              <Figures figures={figuresOf(run)} />
              <Tabs
                value={tab}
                onValueChange={(value) =>
                  onChange({ tab: RUN_TABS.find((each) => each === value), page: undefined })
                }
              >
                <TabsList>
                  <TabsTrigger value="payslips">Payslips</TabsTrigger>
                  <TabsTrigger value="review">
                    Review{problems.length > 0 && ` (${formatCount(problems.length)})`}
                  </TabsTrigger>
                  <TabsTrigger value="payments">Payments</TabsTrigger>
                </TabsList>
                <TabsContent value="payslips" className="pt-5">
                  <SlipList run={run} search={search} onChange={onChange} />
                </TabsContent>
                <TabsContent value="review" className="grid gap-6 pt-5">
                  {isOpen(run.status) && parts.renderToDecide()}
                  {oldRate && <Alert title="Old exchange rate">{oldRate}</Alert>}
                  <ReviewPanel run={run} problems={problems} />
                </TabsContent>
                <TabsContent value="payments" className="pt-5">
                  {parts.renderPayments(run.id)}
                </TabsContent>
              </Tabs>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}
