import { formatMoney, sumOf } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { AMOUNT, type Column, moneyColumn, TOTAL } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { choice, type Filter, ListToolbar, searchedChoice } from '#web/components/list/filters.tsx';
import { ExportButton, PrintButton } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useClientOptions } from '#web/lib/data/lookups.ts';
import { formatMonths } from '#web/lib/format/dates.ts';
import { formatHours } from '#web/lib/format/hours.ts';
import { exportMargin, useMargin } from './api.ts';
import { HoursDialog } from './hours-dialog.tsx';
import {
  type MarginRow,
  type MarginSum,
  ratesText,
  shareOf,
  shownMonths,
  sumsBy,
} from './rules.ts';
import { type MarginSearch, NONE } from './search.ts';

const SERIES = [
  { name: 'Billed', colour: 'var(--info)' },
  { name: 'Wages, employer’s share, direct costs', colour: 'var(--accent-fill)' },
  { name: 'Margin', colour: 'var(--success)', line: true },
];

const columns: Column<MarginSum>[] = [
  {
    header: 'Name',
    card: 'title',
    className: 'font-semibold',
    cell: (sum) => (
      // One element, because the button around it is a row.
      <span>
        {sum.name}
        <SecondLine className="max-sm:max-w-40">{sum.hint}</SecondLine>
      </span>
    ),
  },
  moneyColumn('Billed', (sum) => sum.billed),
  moneyColumn('Wages', (sum) => sum.wages),
  moneyColumn('Employer’s share', (sum) => sum.employer),
  moneyColumn('Direct costs', (sum) => sum.direct),
  {
    header: 'Margin',
    card: 'aside',
    className: TOTAL,
    cell: (sum) => (
      <>
        <span className={sum.margin < 0n ? 'text-danger' : undefined}>
          {formatMoney(sum.margin, sum.currency)}
        </span>
        <SecondLine>{shareOf(sum)}</SecondLine>
      </>
    ),
  },
  { header: 'Hours billed', className: AMOUNT, cell: (sum) => formatHours(sum.billed_minutes) },
  { header: 'Hours paid', className: AMOUNT, cell: (sum) => formatHours(sum.worked_minutes) },
];

const CURRENCIES = choice('currency', 'Currency', 'All in USD', [
  ['LRD', 'All in LRD'],
  ['apart', 'Each currency apart'],
]);
const GROUPS = choice('by', 'Sum by', 'By site', [
  ['client', 'By client'],
  ['month', 'By month'],
]);

type CurrencyProps = { currency: string; rows: MarginRow[] } & Pick<ScreenProps, 'search'> & {
    onOpen: ((sum: MarginSum) => void) | undefined;
  };

/** Chart, sums and table of one currency. */
function Currency({ currency, rows, search, onOpen }: CurrencyProps) {
  const { by = 'site' } = search;
  const months = sumsBy(rows, 'month');
  const total = (key: 'billed' | 'wages' | 'employer' | 'direct' | 'margin') =>
    formatMoney(sumOf(rows.map((row) => row[key])), currency);
  const rates = ratesText(rows.flatMap((row) => row.rates));
  return (
    <section aria-label={`Margin in ${currency}`} className="grid min-w-0 gap-6">
      <Figures
        figures={[
          [`Billed, ${currency}`, total('billed')],
          ['Wages', total('wages')],
          ['Employer’s share', total('employer')],
          ['Direct costs', total('direct')],
          ['Margin', total('margin')],
        ]}
        className="lg:grid-cols-5"
      />
      {rates && (
        <p className="text-sm text-muted">
          Converted with the rate of each pay run, and the rate in force on the day of each invoice
          and expense: <span className="tabular-nums">{rates}</span>
        </p>
      )}
      {months.length > 1 && (
        <MoneyBars
          caption={`Billed, costs and margin by month, ${currency}`}
          series={SERIES}
          groups={months.map(({ id, name, billed, wages, employer, direct, margin }) => ({
            id,
            name,
            cents: [billed, wages + employer + direct, margin],
          }))}
        />
      )}
      <DataTable
        label={`Margin in ${currency}, ${by === 'month' ? 'by month' : 'worst first'}`}
        columns={columns}
        rows={sumsBy(rows, by)}
        rowId={({ id }) => id}
        dense
        room={60}
        {...(onOpen ? { onOpen } : {})}
      />
    </section>
  );
}

type ScreenProps = { search: MarginSearch; onChange: ChangeSearch<MarginSearch> };

/** What each site earns, and which ones lose money. */
export function MarginScreen({ search, onChange }: ScreenProps) {
  const months = shownMonths(search);
  const { currency = 'USD', by = 'site' } = search;
  const query = useMargin(months, currency === 'apart' ? undefined : currency);
  const { data: clients = [] } = useClientOptions();
  const filters: Filter[] = [
    { kind: 'day', key: 'from', label: 'From', value: months.from },
    { kind: 'day', key: 'to', label: 'To', value: months.to },
    searchedChoice('client', 'Client', 'All clients', [
      ...clients.map(({ id, name }) => [id, name] as const),
      [NONE, 'No client'],
    ]),
    GROUPS,
    CURRENCIES,
  ];
  const shown = (rows: MarginRow[]) =>
    rows.filter(
      ({ client_id }) => search.client === undefined || (client_id ?? NONE) === search.client,
    );
  const open = ({ opens }: MarginSum) =>
    onChange(by === 'client' ? { client: opens, by: undefined } : { open: opens });
  const siteName = query.data?.find(({ site_id }) => site_id === search.open)?.site_name;
  return (
    <>
      <Breadcrumbs trail={[{ label: 'Invoices', to: '/admin/invoices' }]} current="Margin" />
      <ScreenHeading
        title="Margin"
        subtitle={`${formatMonths(months.from, months.to)}: issued invoices without tax, less wages and the employer’s share of locked pay runs, and expenses of the site. The worst come first.`}
      >
        <PrintButton />
        <ExportButton exportRecords={() => exportMargin(shown(query.data ?? []))} />
      </ScreenHeading>
      <ListToolbar search={search} onChange={onChange} filters={filters} />
      <Loaded query={query} loadingText="Loading the margin...">
        {(all) => {
          const rows = shown(all);
          if (rows.length === 0)
            return <EmptyNote>Nothing was billed or paid in these months</EmptyNote>;
          return (
            <div className="grid gap-10">
              {[...new Set(rows.map((row) => row.currency))]
                .sort((a, b) => (a < b ? 1 : -1))
                .map((each) => (
                  <Currency
                    key={each}
                    currency={each}
                    rows={rows.filter((row) => row.currency === each)}
                    search={search}
                    onOpen={by === 'month' ? undefined : open}
                  />
                ))}
            </div>
          );
        }}
      </Loaded>
      {search.open && query.data && (
        <HoursDialog
          site={search.open}
          title={siteName ? `Hours at ${siteName}` : 'Hours without a site'}
          months={months}
          onClose={() => onChange({ open: undefined })}
        />
      )}
    </>
  );
}
