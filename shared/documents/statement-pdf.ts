// A client's statement of account.
import { formatMoney } from '#shared/money.ts';
import { Paper, type PaperCell } from './paper.ts';
import { writePaymentBox } from './payment-box.ts';
import { type PayTo, printedDay } from './printed-invoice.ts';

export interface PrintedStatement {
  client: { name: string; address: string };
  currency: string;
  /** Where what is owed is paid to now. */
  pay_to: PayTo | null;
  from: string;
  to: string;
  /** The first is the opening balance, the last the closing one. */
  entries: {
    day: string;
    name: string;
    text: string;
    charge: number | string;
    payment: number | string;
    balance: number | string;
  }[];
}

const cells = (texts: [string, string, string, string, string]): PaperCell[] => [
  { text: texts[0], width: 23 },
  { text: texts[1], width: 59 },
  { text: texts[2], width: 25, right: true },
  { text: texts[3], width: 25, right: true },
  { text: texts[4], width: 28, right: true },
];

export function statementPdf(statement: PrintedStatement): Paper {
  const { client, currency, from, to, entries, pay_to } = statement;
  const money = (amount: number | string) => formatMoney(amount, currency);
  const moneyOrNothing = (amount: number | string) => (Number(amount) === 0 ? '' : money(amount));
  const title = 'Statement of account';
  const paper = Paper.letterTo(client, title, `${title}, ${client.name}`);
  paper.fact('Period', `${printedDay(from)} to ${printedDay(to)}`);
  paper.fact('Currency', currency);
  const owed = entries.at(-1)?.balance ?? 0;
  paper.fact('Balance', money(owed));
  paper.space(4);
  paper.table(
    cells(['Day', 'Entry', 'Charge', 'Payment', 'Balance']),
    entries.map(({ day, name, text, charge, payment, balance }, index) => ({
      cells: cells([
        printedDay(day),
        [name, text].filter(Boolean).join(', '),
        moneyOrNothing(charge),
        moneyOrNothing(payment),
        money(balance),
      ]),
      bold: index === 0 || index === entries.length - 1,
    })),
  );
  if (Number(owed) > 0) writePaymentBox(paper, pay_to);
  paper.footer(`${title}, ${client.name}`);
  return paper;
}
