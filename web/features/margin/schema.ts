import { z } from 'zod';

const text = z.string().nullable();

export const marginSchema = z.array(
  z.object({
    site_id: text,
    site_name: text,
    client_id: text,
    client_name: text,
    /** Its first day. */
    month: z.string(),
    currency: z.string(),
    billed: z.string(),
    wages: z.string(),
    employer: z.string(),
    /** Expenses of the site. */
    direct: z.string(),
    margin: z.string(),
    billed_minutes: z.number(),
    worked_minutes: z.number(),
    /** Liberian dollars for a US dollar that were used to convert. */
    rates: z.array(z.number()),
  }),
);
/** A site in a month and a currency. */
export type MarginRow = z.infer<typeof marginSchema>[number];
