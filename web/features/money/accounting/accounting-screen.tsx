import type { Filter } from '#web/components/list/filters.tsx';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportJournal, useJournal } from './api.ts';
import { ChartPanel } from './chart-panel.tsx';
import { ClosingsPanel } from './closings-panel.tsx';
import { JournalPanel } from './journal-panel.tsx';
import { shownDays } from './rules.ts';
import { ACCOUNTING_TABS, type AccountingSearch } from './search.ts';

type AccountingScreenProps = {
  search: AccountingSearch;
  onChange: ChangeSearch<AccountingSearch>;
};

/** Journal lines for an accountant's package, the accounts that they are booked to, and the closing date. */
export function AccountingScreen({ search, onChange }: AccountingScreenProps) {
  const days = shownDays(search);
  const { tab = 'journal', page = 1 } = search;
  const query = useJournal(days, page);
  const filters: Filter[] = [
    { kind: 'day', key: 'from', label: 'From', value: days.from },
    { kind: 'day', key: 'to', label: 'To', value: days.to },
  ];
  return (
    <>
      <ScreenHeading
        title="Accounting Export"
        subtitle="Invoices, credit notes, receipts, pay runs, expenses and VAT as journal lines, for an accountant’s package."
      >
        {tab === 'journal' && query.data && (
          <ExportButton exportRecords={(format) => exportJournal(days, format)} />
        )}
      </ScreenHeading>
      <Tabs
        value={tab}
        onValueChange={(value) =>
          onChange({ tab: ACCOUNTING_TABS.find((each) => each === value), page: undefined })
        }
      >
        <TabsList>
          <TabsTrigger value="journal">Journal</TabsTrigger>
          <TabsTrigger value="chart">Chart of Accounts</TabsTrigger>
          <TabsTrigger value="closing">Closing Date</TabsTrigger>
        </TabsList>
        <TabsContent value="journal" className="pt-5">
          <ListToolbar search={search} onChange={onChange} filters={filters} />
          <Loaded query={query} loadingText="Loading the journal...">
            {(journal) => (
              <JournalPanel
                journal={journal}
                page={page}
                onPage={(next) => onChange({ page: next === 1 ? undefined : next })}
              />
            )}
          </Loaded>
        </TabsContent>
        <TabsContent value="chart" className="pt-5">
          <ChartPanel />
        </TabsContent>
        <TabsContent value="closing" className="pt-5">
          <ClosingsPanel />
        </TabsContent>
      </Tabs>
    </>
  );
}
