// How a client pays: accounts, reference, terms, and a QR code with them for a phone.
import { company } from '#company';
import { formatAmount } from '#shared/money.ts';
import { LEFT, type Paper } from './paper.ts';
import { type PayTo, printedDay } from './printed-invoice.ts';
import { drawQrCode } from './qr-code.ts';

/** Millimetres. */
const CODE = 30;
const BESIDE_CODE = LEFT + CODE + 8;

const KIND_NAMES = { bank: 'Bank transfer', mobile_money: 'Mobile money' };

/** What is paid, and how we know it from other payments. */
export type Demand = {
  reference: string;
  currency: string;
  amount: number | string;
  due_on: string;
};

/** @returns what a phone shows that scans the code */
export function paymentText(
  { reference, currency, amount, due_on }: Demand,
  { accounts }: PayTo,
): string {
  return [
    `Pay ${company.name}`,
    `${currency} ${formatAmount(amount)} by ${printedDay(due_on)}`,
    `Reference ${reference}`,
    ...accounts.map(({ provider, number, title }) => `${provider}: ${number}, ${title}`),
  ].join('\n');
}

type Line = { text: string; bold?: boolean; size?: number; colour?: string; gap?: number };

function linesOf({ accounts, terms }: PayTo, reference: string | undefined): Line[] {
  return [
    ...accounts.flatMap(({ kind, provider, title, number, note }) => [
      { text: `${KIND_NAMES[kind]}: ${provider}`, bold: true, size: 10, gap: 1.5 },
      { text: `${number}, ${title}`, size: 10 },
      ...(note ? [{ text: note, size: 9, colour: '#4d5a6e' }] : []),
    ]),
    ...(reference ? [{ text: `Reference: ${reference}`, bold: true, size: 10, gap: 1.5 }] : []),
    ...(terms ? [{ text: terms, size: 9, colour: '#4d5a6e', gap: 1.5 }] : []),
  ];
}

/**
 * Stays on one page; nothing without accounts and terms.
 * @param demand without it there is no code, for example on a statement
 */
export function writePaymentBox(paper: Paper, payTo: PayTo | null, demand?: Demand): void {
  if (!payTo || (payTo.accounts.length === 0 && !payTo.terms)) return;
  const hasCode = demand !== undefined && payTo.accounts.length > 0;
  const left = hasCode ? BESIDE_CODE : LEFT;
  const lines = linesOf(payTo, payTo.accounts.length > 0 ? demand?.reference : undefined);
  const tall = lines.reduce(
    (sum, { text, gap = 0, ...style }) => sum + gap + paper.tallOf(text, { ...style, left }),
    0,
  );
  paper.space(4);
  // The heading, and the text or the code below it.
  paper.keep(9 + Math.max(tall, hasCode ? CODE : 0));
  paper.text('How to Pay', { bold: true, size: 11.5 });
  paper.space(1);
  const top = paper.y - 4;
  if (hasCode)
    drawQrCode(paper.pdf, paymentText(demand, payTo), { left: LEFT, top, size: CODE }, 'medium');
  for (const { text, gap = 0, ...style } of lines) {
    paper.space(gap);
    paper.text(text, { ...style, left });
  }
  if (hasCode) paper.space(Math.max(0, top + CODE + 4 - paper.y));
}
