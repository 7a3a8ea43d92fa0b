import { formatMoney, parseCents, sumCents } from '#shared/money.ts';
import { MoneyBars } from '#web/components/charts/bars.tsx';
import { placesOfScreen } from '#web/components/layout/use-screen-focus.ts';
import { AMOUNT, type Column, moneyColumn, TOTAL } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { choice, type Filter, searchedChoice } from '#web/components/list/filters.tsx';
import { ExportButton, PrintButton } from '#web/components/list/list-buttons.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { keepFocusOutsideDialogs } from '#web/components/ui/focus-places.ts';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useClientOptions } from '#web/lib/data/lookups.ts';
import { formatMonths } from '#web/lib/format/dates.ts';
import { formatHours } from '#web/lib/format/hours.ts';
import { exportMargin, SUMS_PAGE, useMargin } from './api.ts';
import { DraftsNotice } from './drafts-notice.tsx';
import { HoursDialog } from './hours-dialog.tsx';
import {
  type CurrencyMargin,
  describeSum,
  formatShare,
  type MarginGroup,
  type MarginSum,
  ratesText,
  shownMonths,
} from './rules.ts';
import { type MarginSearch, NONE } from './search.ts';

const SERIES = [
  { name: 'Billed', colour: 'var(--info)' },
  { name: 'Wages, employer’s share, direct costs', colour: 'var(--accent-fill)' },
  { name: 'Margin', colour: 'var(--success)', line: true },
];

type Row = MarginSum & ReturnType<typeof describeSum> & { currency: string };

const columns: Column<Row>[] = [
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
        <span className={parseCents(sum.margin) < 0n ? 'text-danger' : undefined}>
          {formatMoney(sum.margin, sum.currency)}
        </span>
        <SecondLine>{formatShare(sum)}</SecondLine>
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

type CurrencyProps = { sums: CurrencyMargin; by: MarginGroup; page: number } & Pick<
  ScreenProps,
  'onChange'
>;

function Currency({ sums, by, page, onChange }: CurrencyProps) {
  const { currency, months, count } = sums;
  const money = (amount: string) => formatMoney(amount, currency);
  const converted = ratesText(sums.rates);
  const rows = sums.rows.map((sum) => ({ ...sum, ...describeSum(sum, by), currency }));
  function open({ opens }: Row) {
    if (by !== 'client') {
      onChange({ open: opens });
      return;
    }
    // The sites of the client replace the table.
    keepFocusOutsideDialogs(placesOfScreen);
    onChange({ client: opens, by: undefined, page: undefined });
  }
  return (
    <section aria-label={`Margin in ${currency}`} className="grid min-w-0 grid-cols-1 gap-6">
      <Figures
        figures={[
          [`Billed, ${currency}`, money(sums.billed)],
          ['Wages', money(sums.wages)],
          ['Employer’s share', money(sums.employer)],
          ['Direct costs', money(sums.direct)],
          ['Margin', money(sums.margin)],
        ]}
      />
      {converted && (
        <p className="text-sm text-muted">
          Converted with the rate of each pay run, and the rate in force on the day of each invoice
          and expense: <span className="tabular-nums">{converted}</span>
        </p>
      )}
      {months.length > 1 && (
        <MoneyBars
          caption={`Billed, costs and margin by month, ${currency}`}
          series={SERIES}
          groups={months.map(({ month, billed, wages, employer, direct, margin }) => ({
            id: month,
            name: formatMonths(month, month),
            cents: [parseCents(billed), sumCents([wages, employer, direct]), parseCents(margin)],
          }))}
        />
      )}
      <DataTable
        label={`Margin in ${currency}, ${by === 'month' ? 'by month' : 'worst first'}`}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        dense
        room={60}
        {...(by === 'month' ? {} : { onOpen: open })}
      />
      <Pager
        page={page}
        pageSize={SUMS_PAGE}
        total={count}
        onPage={(next) => onChange({ page: next > 1 ? next : undefined })}
      />
    </section>
  );
}

type ScreenProps = { search: MarginSearch; onChange: ChangeSearch<MarginSearch> };

export function MarginScreen({ search, onChange }: ScreenProps) {
  const months = shownMonths(search);
  const { currency = 'USD', by = 'site', page = 1, client } = search;
  const shown = { ...months, currency: currency === 'apart' ? undefined : currency, client };
  const query = useMargin(shown, by, page);
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
  const site = query.data?.currencies
    .flatMap(({ rows }) => rows)
    .find((row) => row.site_id === search.open);
  const title = search.open === NONE ? 'without a site' : `at ${site?.site_name ?? 'the site'}`;
  return (
    <>
      <ScreenHeading
        title="Margin"
        subtitle={`${formatMonths(months.from, months.to)}: issued invoices without tax, less wages and the employer’s share of locked pay runs, and expenses of the site. The worst come first.`}
      >
        <PrintButton />
        <ExportButton exportRecords={(format) => exportMargin(shown, format)} />
      </ScreenHeading>
      <ListToolbar search={search} onChange={onChange} filters={filters} />
      <DraftsNotice {...{ months, client }} />
      <Loaded query={query} loadingText="Loading the margin...">
        {({ by: summedBy, currencies }) =>
          currencies.length === 0 ? (
            <EmptyNote>
              Nothing was billed or paid in these months. Margin follows from issued invoices and
              locked pay runs.
            </EmptyNote>
          ) : (
            <div className="grid gap-10">
              {currencies.map((sums) => (
                <Currency key={sums.currency} by={summedBy} {...{ sums, page, onChange }} />
              ))}
            </div>
          )
        }
      </Loaded>
      {search.open && query.data && (
        <HoursDialog
          site={search.open}
          title={`Hours ${title}`}
          months={months}
          onClose={() => onChange({ open: undefined })}
        />
      )}
    </>
  );
}
