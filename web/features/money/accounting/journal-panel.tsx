import { formatCount } from '#shared/count.ts';
import { formatMoney } from '#shared/money.ts';
import { Pager } from '#web/components/list/pager.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { EmptyNote } from '#web/components/ui/loaded.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { PREVIEWED } from './api.ts';
import { groupDocuments, isZero, type JournalDocument, type JournalPage } from './rules.ts';

const FIGURE = 'py-2 pl-4 text-right whitespace-nowrap';

function Rows({ document }: { document: JournalDocument }) {
  const { day, currency, text, isBalanced } = document;
  const money = (amount: string) => (isZero(amount) ? '' : formatMoney(amount, currency));
  return (
    <tbody className="border-t-2 border-line-strong">
      <tr className="bg-sunken">
        <th
          scope="rowgroup"
          colSpan={4}
          className="px-3 py-2 text-left font-normal [overflow-wrap:anywhere]"
        >
          <span className="mr-2 text-muted tabular-nums">{formatDay(day)}</span>{' '}
          <strong className="mr-2">{document.document}</strong> {text}{' '}
          {!isBalanced && (
            <Badge tone="red" className="ml-2">
              Not balanced
            </Badge>
          )}
        </th>
      </tr>
      {document.lines.map((line) => (
        <tr
          key={`${line.account_code} ${line.debit} ${line.credit}`}
          className="border-t border-line tabular-nums"
        >
          <td className="px-3 py-2 text-muted">{line.account_code}</td>
          <td className="min-w-32 py-2 pr-4 [overflow-wrap:anywhere]">{line.account_name}</td>
          <td className={FIGURE}>{money(line.debit)}</td>
          <td className={`${FIGURE} pr-3`}>{money(line.credit)}</td>
        </tr>
      ))}
    </tbody>
  );
}

type JournalPanelProps = { journal: JournalPage; page: number; onPage: (page: number) => void };

/** A preview of what is exported: each document with its debits and credits. */
export function JournalPanel({ journal, page, onPage }: JournalPanelProps) {
  const { documents, lines, totals, unbalanced, rows } = journal;
  if (documents === 0)
    return <EmptyNote>No documents in these days. Change them to see others.</EmptyNote>;
  return (
    <div className="grid gap-6">
      <Figures
        figures={[
          ['Documents', formatCount(documents)],
          ['Journal lines', formatCount(lines)],
          ...totals.flatMap(({ currency, debit, credit }) => [
            [`Debits, ${currency}`, formatMoney(debit, currency)] as const,
            [`Credits, ${currency}`, formatMoney(credit, currency)] as const,
          ]),
        ]}
      />
      {unbalanced.length === 0 ? (
        <Alert tone="success" title="Every document is balanced in its currency" />
      ) : (
        <Alert tone="danger" title="Some documents are not balanced">
          {unbalanced.join(', ')}
        </Alert>
      )}
      <ScrollRegion label="Journal lines">
        <table aria-label="Journal" className="w-full min-w-lg text-[0.9375rem]">
          <thead className="text-sm text-muted">
            <tr>
              <th scope="col" className="px-3 py-2 text-left">
                Code
              </th>
              <th scope="col" className="py-2 pr-4 text-left">
                Account
              </th>
              <th scope="col" className={FIGURE}>
                Debit
              </th>
              <th scope="col" className={`${FIGURE} pr-3`}>
                Credit
              </th>
            </tr>
          </thead>
          {groupDocuments(rows).map((document) => (
            <Rows key={document.id} document={document} />
          ))}
        </table>
      </ScrollRegion>
      <Pager page={page} pageSize={PREVIEWED} total={documents} onPage={onPage} />
    </div>
  );
}
