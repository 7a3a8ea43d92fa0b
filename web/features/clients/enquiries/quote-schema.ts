import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { CONTRACTS_CURRENCY, QUOTE_LINES_VAT_TREATMENT } from '#shared/database.values.ts';
import type { PrintedQuote } from '#shared/documents/printed-quote.ts';
import { dayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { endOfMonth, today } from '#web/lib/format/dates.ts';
import { dayAfter } from '#web/lib/format/days.ts';
import type { Enquiry } from './schema.ts';

type Tables = Database['public']['Tables'];
export type QuoteLine = Tables['quote_lines']['Row'];
export type Quote = Tables['quotes']['Row'] & { quote_lines: QuoteLine[] };

/** How long a new quote is valid. */
const VALID_DAYS = 30;

const required = (name: string, maximum: number) =>
  textField(name, maximum).min(1, `${name} is required`);

const quoteLineSchema = z.object({
  post_name: required('Post', limits.QUOTE_LINES_POST_NAME_MAX),
  guards: wholeNumberField({
    name: 'Guards',
    required: 'Guards are required',
    minimum: 1,
    maximum: 100,
  }),
  hours_a_day: z
    .string()
    .trim()
    .regex(/^\d{1,2}(\.\d{1,2})?$/, 'Hours must be a number such as 12')
    .refine((hours) => Number(hours) > 0 && Number(hours) <= 24, 'Hours must be at most 24'),
  days_a_week: wholeNumberField({
    name: 'Days',
    required: 'Days are required',
    minimum: 1,
    maximum: 7,
  }),
  rate: z
    .string()
    .trim()
    .regex(/^\d{1,9}(\.\d{1,4})?$/, 'Rate must be an amount such as 4.25'),
  vat_treatment: z.enum(QUOTE_LINES_VAT_TREATMENT),
});

export const quoteSchema = z
  .object({
    /** Empty: not a client yet. */
    client_id: z.string(),
    client_name: required('Client', limits.QUOTES_CLIENT_NAME_MAX),
    contact_name: textField('Contact', limits.QUOTES_CONTACT_NAME_MAX),
    email: z.union([z.literal(''), z.email('Enter an e-mail address')]),
    site_name: required('Site', limits.QUOTES_SITE_NAME_MAX),
    site_address: required('Address', limits.QUOTES_SITE_ADDRESS_MAX),
    lines: z.array(quoteLineSchema).min(1, 'A quote has a post'),
    currency: z.enum(CONTRACTS_CURRENCY),
    prices_include_tax: z.enum(['no', 'yes']),
    starts_on: dayField('Start is required'),
    valid_until: dayField('Last day is required').refine(
      (day) => day === '' || day >= today(),
      'Last day can’t be in the past',
    ),
    payment_terms_days: wholeNumberField({
      name: 'Payment terms',
      required: 'Payment terms are required',
      minimum: 0,
      maximum: 180,
    }),
    terms: textField('Terms', limits.QUOTES_TERMS_MAX),
  })
  .superRefine(({ lines }, context) => {
    lines.forEach(({ post_name }, at) => {
      const before = lines.slice(0, at).map((line) => line.post_name.toLowerCase());
      if (post_name !== '' && before.includes(post_name.toLowerCase())) {
        context.addIssue({
          code: 'custom',
          path: ['lines', at, 'post_name'],
          message: 'A post has one line',
        });
      }
    });
  });
export type QuoteForm = z.infer<typeof quoteSchema>;

export const NEW_LINE: QuoteForm['lines'][number] = {
  post_name: '',
  guards: '1',
  hours_a_day: '12',
  days_a_week: '7',
  rate: '',
  vat_treatment: 'standard',
};

/** @returns the form of the first quote to an enquirer */
export function toNewQuote({ name, company, email }: Enquiry): QuoteForm {
  return {
    client_id: '',
    client_name: company ?? name,
    contact_name: name,
    email,
    site_name: '',
    site_address: '',
    lines: [{ ...NEW_LINE, post_name: 'Main Gate' }],
    currency: 'USD',
    prices_include_tax: 'no',
    starts_on: dayAfter(endOfMonth(today()), 1),
    valid_until: dayAfter(today(), VALID_DAYS),
    payment_terms_days: '30',
    terms: '',
  };
}

/** @returns the form filled with a stored draft */
export const toQuoteForm = (quote: Quote): QuoteForm => ({
  client_id: quote.client_id ?? '',
  client_name: quote.client_name,
  contact_name: quote.contact_name ?? '',
  email: quote.email ?? '',
  site_name: quote.site_name,
  site_address: quote.site_address,
  lines: quote.quote_lines.map((line) => ({
    post_name: line.post_name,
    guards: String(line.guards),
    hours_a_day: String(line.hours_a_day),
    days_a_week: String(line.days_a_week),
    rate: String(line.rate),
    vat_treatment: line.vat_treatment,
  })),
  currency: quote.currency,
  prices_include_tax: quote.prices_include_tax ? 'yes' : 'no',
  starts_on: quote.starts_on,
  valid_until: quote.valid_until,
  payment_terms_days: String(quote.payment_terms_days),
  terms: quote.terms ?? '',
});

/** @returns what save_quote takes */
export function toSavedQuote({ lines, ...form }: QuoteForm) {
  return {
    p_terms: {
      ...form,
      client_id: orNull(form.client_id),
      contact_name: orNull(form.contact_name),
      email: orNull(form.email),
      terms: orNull(form.terms),
      payment_terms_days: parseWholeNumber(form.payment_terms_days),
      prices_include_tax: form.prices_include_tax === 'yes',
    },
    p_lines: lines.map((line) => ({
      ...line,
      guards: parseWholeNumber(line.guards),
      hours_a_day: Number(line.hours_a_day),
      days_a_week: parseWholeNumber(line.days_a_week),
      rate: Number(line.rate),
    })),
  };
}

export const sendSchema = z.object({
  email: z.union([z.literal(''), z.email('Enter an e-mail address')]),
});

export const declineSchema = z.object({
  reason: textField('Reason', limits.QUOTES_REASON_MAX),
});

/** Sent, and its last day is over. */
export const isExpired = ({ status, valid_until }: Pick<Quote, 'status' | 'valid_until'>) =>
  status === 'sent' && valid_until < today();

export const shownStatus = (quote: Pick<Quote, 'status' | 'valid_until'>) =>
  isExpired(quote) ? 'expired' : quote.status;

/** @returns its number, or that it has none yet */
export const nameOf = ({
  number,
  version,
  status,
}: Pick<Quote, 'number' | 'version' | 'status'>) =>
  status === 'draft' && version === 1 ? 'Draft' : (number ?? 'Draft');

/** @returns what the client gets; of a draft, what they would get today */
export const toPrintedQuote = (quote: Quote): PrintedQuote => ({
  ...quote,
  number: nameOf(quote),
  sent_on: quote.sent_on ?? today(),
  total: quote.total ?? 0,
  lines: quote.quote_lines,
});
