import { formatMoney } from '#shared/money.ts';
import { cn } from '#web/lib/cn.ts';
import { AccountLink } from './account-link.tsx';
import type { Days } from './rules.ts';
import type { StatementPart } from './statements.ts';

const FIGURE = 'py-2 pl-4 text-right align-baseline whitespace-nowrap tabular-nums';

type PartProps = { part: StatementPart; currency: string; days: Days };

function Part({ part, currency, days }: PartProps) {
  const { title, lines, total } = part;
  return (
    <tbody>
      <tr>
        <th
          scope="rowgroup"
          colSpan={2}
          className="pt-5 pb-1 text-left font-display text-lg font-normal"
        >
          {title}
        </th>
      </tr>
      {lines.map(({ id, account, name, cents }) => (
        <tr key={id} className="border-t border-line">
          <th scope="row" className="py-2 text-left font-normal">
            {account ? <AccountLink account={account} days={days} /> : name}
          </th>
          <td className={FIGURE}>{formatMoney(cents, currency)}</td>
        </tr>
      ))}
      <tr className="border-t border-line-strong font-semibold">
        <th scope="row" className="py-2 text-left">
          Total {title.toLowerCase()}
        </th>
        <td className={FIGURE}>{formatMoney(total, currency)}</td>
      </tr>
    </tbody>
  );
}

type StatementTableProps = Omit<PartProps, 'part'> & {
  label: string;
  parts: readonly StatementPart[];
  /** What the parts lead to. */
  result?: { name: string; cents: bigint };
};

/** A statement in one currency: its parts with their accounts, and their totals. */
export function StatementTable({ label, parts, result, ...rest }: StatementTableProps) {
  return (
    <table aria-label={label} className="w-full max-w-2xl text-[0.9375rem]">
      {parts.map((part) => (
        <Part key={part.title} part={part} {...rest} />
      ))}
      {result && (
        <tfoot>
          <tr className="border-t-2 border-line-strong text-lg font-semibold">
            <th scope="row" className="py-3 text-left">
              {result.name}
            </th>
            <td className={cn(FIGURE, result.cents < 0n ? 'text-danger' : 'text-success')}>
              {formatMoney(result.cents, rest.currency)}
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
