import { type ReactNode, useState } from 'react';
import { formatBalance, formatCents } from '#shared/money.ts';
import { SizeBars } from '#web/components/charts/size-bars.tsx';
import { ListButtons } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { cn } from '#web/lib/cn.ts';
import { type Cashflow, exportCashflow, FIGURES, type Selection, useCashflow } from './api.ts';
import { EntriesDialog } from './entries-dialog.tsx';

const formatSize = (cents: bigint) => formatCents(cents < 0n ? -cents : cents);

type FigureCardProps = {
  name: string;
  tone?: 'good' | 'bad';
  /** The meaning of the colour, in words. */
  note?: string;
  onOpen?: () => void;
  children: ReactNode;
};

function FigureCard({ name, tone, note, onOpen, children }: FigureCardProps) {
  return (
    <Card className="flex flex-col p-4">
      <p className="text-sm text-muted">{name}</p>
      <p
        className={cn(
          'mt-1 text-lg font-semibold whitespace-nowrap tabular-nums',
          tone === 'good' && 'text-success',
          tone === 'bad' && 'text-danger',
        )}
      >
        {children}
      </p>
      {note && <p className="mt-1 text-sm text-muted">{note}</p>}
      {onOpen && (
        <Button
          variant="link"
          className="mt-auto -mb-2 self-start px-0 print:hidden"
          onClick={onOpen}
          aria-label={`Show records of ${name}`}
        >
          Show records
        </Button>
      )}
    </Card>
  );
}

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
          {formatSize(net)}
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
          <ListButtons exportRecords={(format) => exportCashflow(query.data, format)} />
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
