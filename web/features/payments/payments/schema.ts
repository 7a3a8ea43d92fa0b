import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { PAY_ACCOUNTS_CHANNEL } from '#shared/database.values.ts';
import { sumCents } from '#shared/money.ts';
import type { PayChannel } from '#web/lib/vocabulary/kinds.ts';

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
export type Sums = { toPay: Sum; inFile: Sum; paid: Sum };
export type ChannelSums = Sums & { channel: PayChannel };

export function sumPayments(payments: readonly Payment[]): Sums {
  const sumOf = (status: Payment['status']): Sum => {
    const own = payments.filter((payment) => payment.status === status);
    return { count: own.length, cents: sumCents(own.map(({ amount }) => amount)) };
  };
  return { toPay: sumOf('to_pay'), inFile: sumOf('in_file'), paid: sumOf('paid') };
}

/** For each channel that has any of it. Blocked payments are left out. */
export function sumsByChannel(payments: readonly Payment[]): ChannelSums[] {
  return PAY_ACCOUNTS_CHANNEL.map((channel) => ({
    channel,
    ...sumPayments(payments.filter((payment) => payment.channel === channel && !payment.blocked)),
  })).filter(({ toPay, inFile, paid }) => toPay.count + inFile.count + paid.count > 0);
}

/** People whose payment can't be made yet, by name. */
export const listBlocked = (payments: readonly Payment[]) =>
  payments.filter(({ status, blocked }) => status === 'to_pay' && blocked !== null);

/** The last failed or returned payment of each payslip that is still to be paid. @param payments the older ones first */
export function listFailed(payments: readonly Payment[]): Payment[] {
  const toPay = new Set(
    payments.filter(({ status }) => status === 'to_pay').map(({ payslip_id }) => payslip_id),
  );
  const failed = payments.filter(
    ({ status, payslip_id }) =>
      (status === 'failed' || status === 'returned') && toPay.has(payslip_id),
  );
  return [...new Map(failed.map((payment) => [payment.payslip_id, payment])).values()];
}

/** Argument of import_payment_result. */
export type ResultLine = {
  code: string;
  /** A paid payment that is reported as failed was returned. */
  status: 'paid' | 'failed';
  amount?: string;
  reference?: string;
  /** The day of the payment, or of its return. */
  paid_on?: string;
  failure?: string;
};

export const outcomeSchema = z.object({
  paid: z.number(),
  failed: z.number(),
  returned: z.number(),
  unchanged: z.number(),
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** @returns for example "1 payment" */
export const countPayments = (count: number) => `${count} ${count === 1 ? 'payment' : 'payments'}`;

/** @returns for example "12 payments paid, 1 failed" */
export function describeOutcome({ paid, failed, returned, unchanged }: Outcome): string {
  const parts = [
    paid > 0 && `${countPayments(paid)} paid`,
    failed > 0 && `${paid > 0 ? failed : countPayments(failed)} failed`,
    returned > 0 && `${paid + failed > 0 ? returned : countPayments(returned)} returned`,
    unchanged > 0 && `${unchanged} already recorded`,
  ];
  return parts.filter(Boolean).join(', ');
}
