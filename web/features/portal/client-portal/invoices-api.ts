import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { INVOICE_LINES_VAT_TREATMENT, PAYMENT_ACCOUNTS_KIND } from '#shared/database.values.ts';
import { clientPortalKey } from '#web/lib/data/keys.ts';
import { portal } from './backend.ts';

export const balancesQuery = queryOptions({
  queryKey: [...clientPortalKey, 'balances'],
  queryFn: async () =>
    (await portal().rpc('client_balances', undefined, { get: true }).throwOnError()).data,
});
export type Balance = Awaited<ReturnType<NonNullable<typeof balancesQuery.queryFn>>>[number];

/** Those with something open first. */
export const invoicesQuery = queryOptions({
  queryKey: [...clientPortalKey, 'invoices'],
  queryFn: async () =>
    (await portal().rpc('client_invoices', undefined, { get: true }).throwOnError()).data,
});
export type Invoice = Awaited<ReturnType<NonNullable<typeof invoicesQuery.queryFn>>>[number];

const printedLineSchema = z.object({
  description: z.string(),
  quantity: z.number(),
  unit: z.string(),
  rate: z.number(),
  amount: z.number(),
  price_with_tax: z.nullable(z.number()),
  tax_name: z.nullable(z.string()),
  tax_rate: z.nullable(z.number()),
  tax_amount: z.number(),
  vat_treatment: z.nullable(z.enum(INVOICE_LINES_VAT_TREATMENT)),
});

const lineSchema = z.extend(printedLineSchema, {
  id: z.string(),
  site: z.nullable(z.string()),
  is_credited: z.boolean(),
  /** Whether the days behind it can be shown. */
  has_days: z.boolean(),
});
export type Line = z.infer<typeof lineSchema>;

const creditNoteSchema = z.object({
  number: z.string(),
  issued_on: z.string(),
  reason: z.string(),
  amount: z.number(),
  tax: z.number(),
  lines: z.array(printedLineSchema),
});

const invoiceSchema = z.object({
  number: z.string(),
  currency: z.string(),
  issued_on: z.string(),
  due_on: z.string(),
  period_start: z.string(),
  period_end: z.string(),
  bill_to: z.object({
    name: z.string(),
    address: z.optional(z.nullable(z.string())),
    tin: z.optional(z.nullable(z.string())),
    vat_certificate: z.optional(z.nullable(z.string())),
  }),
  vat_number: z.nullable(z.string()),
  subtotal: z.number(),
  tax: z.number(),
  total: z.number(),
  open_amount: z.number(),
  note: z.nullable(z.string()),
  purchase_order: z.nullable(z.string()),
  pay_to: z.object({
    tin: z.optional(z.string()),
    address: z.optional(z.string()),
    terms: z.optional(z.string()),
    accounts: z.array(
      z.object({
        kind: z.enum(PAYMENT_ACCOUNTS_KIND),
        provider: z.string(),
        title: z.string(),
        number: z.string(),
        note: z.optional(z.string()),
      }),
    ),
  }),
  lines: z.array(lineSchema),
  credit_notes: z.array(creditNoteSchema),
  receipts: z.array(
    z.object({
      received_on: z.string(),
      method: z.string(),
      reference: z.nullable(z.string()),
      amount: z.number(),
    }),
  ),
});
export type OpenedInvoice = z.infer<typeof invoiceSchema>;

export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: [...clientPortalKey, 'invoice', id],
    queryFn: async () => {
      const { data } = await portal()
        .rpc('client_invoice', { p_id: id }, { get: true })
        .throwOnError();
      return invoiceSchema.parse(data);
    },
  });

export const lineDaysQuery = (id: string) =>
  queryOptions({
    queryKey: [...clientPortalKey, 'line days', id],
    queryFn: async () =>
      (await portal().rpc('client_line_days', { p_line_id: id }, { get: true }).throwOnError())
        .data,
  });

type Period = { from: string; to: string };

/** @param account whose statement it is */
export const statementQuery = (account: Balance | undefined, { from, to }: Period) =>
  queryOptions({
    queryKey: [...clientPortalKey, 'statement', account?.client_id, account?.currency, from, to],
    queryFn: async () => {
      if (!account) return [];
      const { data } = await portal()
        .rpc(
          'client_account',
          {
            p_client_id: account.client_id,
            p_currency: account.currency,
            p_from: from,
            p_to: to,
          },
          { get: true },
        )
        .throwOnError();
      return data;
    },
    enabled: account !== undefined,
  });
