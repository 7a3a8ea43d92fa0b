// Cashflow Statement: five figures for each currency; each sum opens the rows that make it up.
import { useState } from 'react';
import { formatBalance, formatCents } from '#shared/money.ts';
import { SizeBars } from '#web/components/charts/size-bars.tsx';
import { ExportButton, PrintButton } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { EmptyNote } from '#web/components/ui/empty-note.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { exportCashflow } from '../api/export-cashflow.ts';
import { useCashflow } from '../api/list-cashflow.ts';
import type { Selection } from '../api/list-entries.ts';
import { type Cashflow, FIGURES } from '../figures.ts';
import { EntriesDialog } from './entries-dialog.tsx';
import { FigureCard } from './figure-card.tsx';

const size = (cents: bigint) => formatCents(cents < 0n ? -cents : cents);

type CurrencySectionProps = { cashflow: Cashflow; onOpen: (selection: Selection) => void };

function CurrencySection({ cashflow, onOpen }: CurrencySectionProps) {
  const { currency, inflows, outflows, net, bank_balance, loan_balance } = cashflow;
  const open = (figure: Selection['figure']) => () => onOpen({ currency, figure });
  const headingId = `cashflow-${currency}`;
  return (
    <section aria-labelledby={headingId} className="break-inside-avoid">
      <h3 id={headingId} className="mb-4 font-display text-2xl">
        {currency}
      </h3>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10.5rem),1fr))] gap-3 sm:gap-4">
        <FigureCard name={FIGURES.inflows} onOpen={open('inflows')}>
          {formatCents(inflows)}
        </FigureCard>
        <FigureCard name={FIGURES.outflows} onOpen={open('outflows')}>
          {formatCents(outflows)}
        </FigureCard>
        <FigureCard
          name="Net Cashflow"
          tone={net >= 0n ? 'good' : 'bad'}
          note={net >= 0n ? 'More came in than went out' : 'More went out than came in'}
        >
          {size(net)}
        </FigureCard>
        <FigureCard name={FIGURES.bank_balance} onOpen={open('bank_balance')}>
          {formatBalance(bank_balance)}
        </FigureCard>
        <FigureCard name={FIGURES.loan_balance} onOpen={open('loan_balance')}>
          {formatCents(loan_balance)}
        </FigureCard>
      </div>
      <div className="mt-5 max-w-3xl">
        <SizeBars
          bars={[
            { name: 'Inflows', cents: inflows, colour: 'var(--success)' },
            { name: 'Outflows', cents: outflows, colour: 'var(--accent-fill)' },
          ]}
        />
      </div>
    </section>
  );
}

export function CashflowStatement() {
  const query = useCashflow();
  const [selection, setSelection] = useState<Selection>();
  return (
    <>
      <ScreenHeading title="Cashflow Statement" subtitle="Overview of cash inflows and outflows">
        {query.data && query.data.length > 0 && (
          <>
            <ExportButton exportRecords={() => exportCashflow(query.data)} />
            <PrintButton />
          </>
        )}
      </ScreenHeading>
      <Loaded query={query} loadingText="Loading cashflow data..." failure="Error">
        {(currencies) =>
          currencies.length === 0 ? (
            <EmptyNote>
              No cashflow yet. It follows from bank accounts, loans, statements and expenses.
            </EmptyNote>
          ) : (
            <div className="grid gap-10">
              {currencies.map((cashflow) => (
                <CurrencySection
                  key={cashflow.currency}
                  cashflow={cashflow}
                  onOpen={setSelection}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      {selection && <EntriesDialog selection={selection} onClose={() => setSelection(undefined)} />}
    </>
  );
}
