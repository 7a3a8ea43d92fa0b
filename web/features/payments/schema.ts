import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { centsOf } from '#shared/money.ts';
import { PAY_CHANNELS, type PayChannel } from '#web/lib/vocabulary/kinds.ts';

type Tables = Database['public']['Tables'];
export type Named = { full_name: string | null; email: string | null } | null;

export type Payment = Tables['payments']['Row'] & {
  staff: { full_name: string; user_id: string | null };
};

/** Without its content, which is fetched when it is downloaded. */
export type PaymentFile = Omit<Tables['payment_files']['Row'], 'content' | 'created_by'> & {
  author: Named;
};

type Sum = { count: number; cents: bigint };
export type ChannelSums = { channel: PayChannel; toPay: Sum; inFile: Sum; paid: Sum };

const add = (sum: Sum, { amount }: Payment): Sum => ({
  count: sum.count + 1,
  cents: sum.cents + centsOf(amount),
});
const none: Sum = { count: 0, cents: 0n };

/** What is to be paid, on its way and paid, for each channel that has any of it. Blocked payments are left out. */
export function sumsByChannel(payments: readonly Payment[]): ChannelSums[] {
  return PAY_CHANNELS.map((channel) => {
    const own = payments.filter((payment) => payment.channel === channel && !payment.blocked);
    const sumOf = (status: Payment['status']) =>
      own.filter((payment) => payment.status === status).reduce(add, none);
    return { channel, toPay: sumOf('to_pay'), inFile: sumOf('in_file'), paid: sumOf('paid') };
  }).filter(({ toPay, inFile, paid }) => toPay.count + inFile.count + paid.count > 0);
}

/** People whose payment can't be made yet, by name. */
export const blockedOf = (payments: readonly Payment[]) =>
  payments.filter(({ status, blocked }) => status === 'to_pay' && blocked !== null);

/** Payments that failed and have not been paid since. */
export function failedOf(payments: readonly Payment[]): Payment[] {
  const paid = new Set(
    payments.filter(({ status }) => status === 'paid').map(({ payslip_id }) => payslip_id),
  );
  return payments.filter(({ status, payslip_id }) => status === 'failed' && !paid.has(payslip_id));
}

/** What import_payment_result takes. */
export type ResultLine = {
  code: string;
  status: 'paid' | 'failed';
  amount?: string;
  reference?: string;
  paid_on?: string;
  failure?: string;
};

export const outcomeSchema = z.object({
  paid: z.number(),
  failed: z.number(),
  unchanged: z.number(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

const people = (count: number) => `${count} ${count === 1 ? 'payment' : 'payments'}`;

/** @returns for example "12 payments paid, 1 failed" */
export function describeOutcome({ paid, failed, unchanged }: Outcome): string {
  const parts = [
    paid > 0 && `${people(paid)} paid`,
    failed > 0 && `${paid > 0 ? failed : people(failed)} failed`,
    unchanged > 0 && `${unchanged} already recorded`,
  ];
  return parts.filter(Boolean).join(', ');
}
