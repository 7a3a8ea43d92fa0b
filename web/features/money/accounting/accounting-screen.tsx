import type { Filter } from '#web/components/list/filters.tsx';
import { ExportButton, type ExportRecords } from '#web/components/list/list-buttons.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { exportJournal, useJournal } from './api.ts';
import { BankPanel } from './bank/bank-panel.tsx';
import { exportBalances, exportLedger, exportProfit, exportSheet } from './books-api.ts';
import { BalancesPanel, ProfitPanel, SheetPanel } from './books-panels.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { ClosingsPanel } from './closings-panel.tsx';
import { EntriesPanel } from './entries-panel.tsx';
import { JournalPanel } from './journal-panel.tsx';
import { LedgerPanel } from './ledger-panel.tsx';
import { PackageButton } from './package-dialog.tsx';
import { type Days, shownDays } from './rules.ts';
import { ACCOUNTING_TABS, type AccountingSearch } from './search.ts';

type AccountingScreenProps = {
  search: AccountingSearch;
  onChange: ChangeSearch<AccountingSearch>;
};

type JournalProps = { days: Days; page: number; onPage: (page: number) => void };

function Journal({ days, page, onPage }: JournalProps) {
  return (
    <Loaded query={useJournal(days, page)} loadingText="Loading the journal...">
      {(journal) => <JournalPanel journal={journal} page={page} onPage={onPage} />}
    </Loaded>
  );
}

/** What the tab that is shown exports. */
function exportOf({ tab, account, currency = 'USD' }: AccountingSearch, days: Days) {
  const exports: Partial<Record<NonNullable<typeof tab>, ExportRecords>> = {
    journal: (format) => exportJournal(days, format),
    balances: (format) => exportBalances(days, format),
    profit: (format) => exportProfit(days, format),
    sheet: (format) => exportSheet(days, format),
    ...(account && { ledger: (format) => exportLedger({ account, currency, days }, format) }),
  };
  return exports[tab ?? 'journal'];
}

/** The books: journal, balances and statements from it, entries by hand, accounts, and the closing of months. */
export function AccountingScreen({ search, onChange }: AccountingScreenProps) {
  const days = shownDays(search);
  const { tab = 'journal', page = 1, account, currency = 'USD' } = search;
  const day = (key: 'from' | 'to', label: string): Filter => ({
    ...{ kind: 'day', key, label, value: days[key] },
  });
  const filters = tab === 'sheet' ? [day('to', 'On')] : [day('from', 'From'), day('to', 'To')];
  const toolbar = <ListToolbar search={search} onChange={onChange} filters={filters} />;
  const onPage = (next: number) => onChange({ page: next === 1 ? undefined : next });
  const exportRecords = exportOf(search, days);
  return (
    <>
      <ScreenHeading
        title="Accounting Export"
        subtitle="Everything that moves money as journal lines, and the statements that follow from them."
      >
        {tab === 'journal' && <PackageButton days={days} />}
        {exportRecords && <ExportButton exportRecords={exportRecords} />}
      </ScreenHeading>
      <Tabs
        // The ledger is a page of the trial balance.
        value={tab === 'ledger' ? 'balances' : tab}
        onValueChange={(value) =>
          onChange({
            tab: ACCOUNTING_TABS.find((each) => each === value),
            ...{ page: undefined, account: undefined, currency: undefined, open: undefined },
            lines: undefined,
          })
        }
      >
        <TabsList isLong>
          <TabsTrigger value="journal">Journal</TabsTrigger>
          <TabsTrigger value="balances">Trial Balance</TabsTrigger>
          <TabsTrigger value="profit">Profit and Loss</TabsTrigger>
          <TabsTrigger value="sheet">Balance Sheet</TabsTrigger>
          <TabsTrigger value="entries">Entries</TabsTrigger>
          <TabsTrigger value="bank">Bank</TabsTrigger>
          <TabsTrigger value="chart">Chart of Accounts</TabsTrigger>
          <TabsTrigger value="closing">Closing</TabsTrigger>
        </TabsList>
        <TabsContent value="journal" className="pt-5">
          {toolbar}
          <Journal {...{ days, page, onPage }} />
        </TabsContent>
        <TabsContent value="balances" className="pt-5">
          {toolbar}
          {tab === 'ledger' && account ? (
            <LedgerPanel {...{ account, currency, days, page, onPage }} />
          ) : (
            <BalancesPanel days={days} />
          )}
        </TabsContent>
        <TabsContent value="profit" className="pt-5">
          {toolbar}
          <ProfitPanel days={days} />
        </TabsContent>
        <TabsContent value="sheet" className="pt-5">
          {toolbar}
          <SheetPanel days={days} />
        </TabsContent>
        <TabsContent value="entries" className="pt-5">
          <EntriesPanel
            {...{ page, onPage }}
            open={search.open}
            onOpen={(open) => onChange({ open })}
          />
        </TabsContent>
        <TabsContent value="bank" className="pt-5">
          <BankPanel search={search} onChange={onChange} />
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
