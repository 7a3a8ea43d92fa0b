// Where clients pay to, for the PDFs of invoices and statements.
import { z } from 'zod';
import { PAYMENT_ACCOUNTS_KIND } from '#shared/database.values.ts';
import type { PayTo } from '#shared/documents/printed-invoice.ts';

const payToSchema = z.object({
  tin: z.string().nullish(),
  address: z.string().nullish(),
  terms: z.string().nullish(),
  accounts: z.array(
    z.object({
      kind: z.enum(PAYMENT_ACCOUNTS_KIND),
      provider: z.string(),
      title: z.string(),
      number: z.string(),
      note: z.string().nullish(),
    }),
  ),
});

/** @returns null for what is no such details, which a PDF leaves out */
export const parsePayTo = (details: unknown): PayTo | null =>
  payToSchema.safeParse(details).data ?? null;
