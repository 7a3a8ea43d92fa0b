import { ExportButton, PrintButton } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportCash } from './api.ts';
import { CashPanel } from './cash-panel.tsx';
import { ContractsPanel } from './contracts-panel.tsx';
import { DebtorsPanel } from './debtors-panel.tsx';
import { HoursPanel } from './hours-panel.tsx';
import { OUTLOOK_TABS, type OutlookSearch } from './search.ts';

type OutlookScreenProps = { search: OutlookSearch; onChange: ChangeSearch<OutlookSearch> };

/** Cash ahead, debtors, margin by client, and what hours cost. */
export function OutlookScreen({ search, onChange }: OutlookScreenProps) {
  const { tab = 'cash' } = search;
  return (
    <>
      <ScreenHeading
        title="Money"
        subtitle="What comes and goes in the next 13 weeks, who pays late, which contracts lose money, and what hours cost."
      >
        <PrintButton />
        {tab === 'cash' && <ExportButton exportRecords={exportCash} />}
      </ScreenHeading>
      <Tabs
        value={tab}
        onValueChange={(value) =>
          onChange({
            tab: OUTLOOK_TABS.find((each) => each === value),
            open: undefined,
          })
        }
      >
        <TabsList isLong>
          <TabsTrigger value="cash">Cash</TabsTrigger>
          <TabsTrigger value="debtors">Debtors</TabsTrigger>
          <TabsTrigger value="margin">Margin</TabsTrigger>
          <TabsTrigger value="hours">Overtime and Gaps</TabsTrigger>
        </TabsList>
        <TabsContent value="cash" className="pt-5">
          <CashPanel {...{ search, onChange }} />
        </TabsContent>
        <TabsContent value="debtors" className="pt-5">
          <DebtorsPanel />
        </TabsContent>
        <TabsContent value="margin" className="pt-5">
          <ContractsPanel />
        </TabsContent>
        <TabsContent value="hours" className="pt-5">
          <HoursPanel />
        </TabsContent>
      </Tabs>
    </>
  );
}
