import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import {
  CONTRACT_POSTS_BASIS,
  CONTRACT_POSTS_VAT_TREATMENT,
  CONTRACTS_BILLING_CYCLE,
  CONTRACTS_CURRENCY,
  CONTRACTS_GAP_CREDIT,
  RATES_KIND,
} from '#shared/database.values.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { dayField, isInOrder, optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';

type Tables = Database['public']['Tables'];
type Named = { name: string };

export type Contract = Tables['contracts']['Row'] & {
  clients: Named;
  contract_posts: { count: number }[];
};
export type ContractPost = Tables['contract_posts']['Row'] & {
  /** With the rows of all contracts that bill it. */
  sites: Named & { contract_posts: { post_id: string | null }[] };
  posts: Named | null;
};
export type Rate = Tables['rates']['Row'];

const END_BEFORE_START = 'The end cannot be before the start';

export const BILLING_CYCLE_LABELS: Record<(typeof CONTRACTS_BILLING_CYCLE)[number], string> = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  annually: 'Annually',
  'on-demand': 'On demand',
};

export const BILLING_CYCLE_HINTS: Record<(typeof CONTRACTS_BILLING_CYCLE)[number], string> = {
  monthly: 'One invoice for each calendar month.',
  quarterly: 'One invoice for January to March, April to June, and so on.',
  annually: 'One invoice for each calendar year.',
  'on-demand': 'Never billed automatically: you choose its days in Draft Invoices.',
};

export const GAP_CREDIT_LABELS: Record<(typeof CONTRACTS_GAP_CREDIT)[number], string> = {
  none: 'Nothing',
  hours: 'Its price, at posts with a fixed amount',
  penalty: 'A penalty, at every post',
};

const days = (minimum: number, maximum: number, name: string) =>
  wholeNumberField({ name, required: `${name} is required`, minimum, maximum });

export const contractSchema = z
  .object({
    client_id: z.string().min(1, 'Client is required'),
    title: textField('Title', limits.CONTRACTS_TITLE_MAX).min(1, 'Title is required'),
    currency: z.enum(CONTRACTS_CURRENCY),
    starts_on: dayField('Start is required'),
    ends_on: optionalDayField,
    billing_cycle: z.enum(CONTRACTS_BILLING_CYCLE),
    billing_day: days(1, 28, 'Billing day'),
    payment_terms_days: days(0, 180, 'Payment terms'),
    gap_credit: z.enum(CONTRACTS_GAP_CREDIT),
    /** Times the price of the uncovered hour. */
    gap_factor: amountField({ name: 'Factor', negative: 'Factor cannot be negative' }),
    agreed_headcount: z
      .string()
      .trim()
      .regex(/^\d{0,5}$/, 'Guards agreed must be a whole number'),
    tax_name: z.string(),
    prices_include_tax: z.enum(['no', 'yes']),
    bill_to_name: textField('Name', limits.CONTRACTS_BILL_TO_NAME_MAX),
    bill_to_address: textField('Address', limits.CONTRACTS_BILL_TO_ADDRESS_MAX),
    bill_to_email: z.union([z.literal(''), z.email('Enter an e-mail address')]),
    purchase_order: textField('Order number', limits.CONTRACTS_PURCHASE_ORDER_MAX),
    notes: textField('Notes', limits.CONTRACTS_NOTES_MAX),
  })
  .refine(({ starts_on, ends_on }) => isInOrder(starts_on, ends_on), {
    path: ['ends_on'],
    error: END_BEFORE_START,
  });
export type ContractForm = z.infer<typeof contractSchema>;

/** @returns the form filled with a stored contract; empty without one */
export function toContractForm(row?: Tables['contracts']['Row']): ContractForm {
  return {
    client_id: row?.client_id ?? '',
    title: row?.title ?? '',
    currency: row?.currency ?? 'USD',
    starts_on: row?.starts_on ?? '',
    ends_on: row?.ends_on ?? '',
    billing_cycle: row?.billing_cycle ?? 'monthly',
    billing_day: String(row?.billing_day ?? 1),
    payment_terms_days: String(row?.payment_terms_days ?? 30),
    gap_credit: row?.gap_credit ?? 'none',
    gap_factor: amountEntry(row?.gap_factor ?? 1),
    agreed_headcount: row?.agreed_headcount?.toString() ?? '',
    tax_name: row?.tax_name ?? '',
    prices_include_tax: row?.prices_include_tax ? 'yes' : 'no',
    bill_to_name: row?.bill_to_name ?? '',
    bill_to_address: row?.bill_to_address ?? '',
    bill_to_email: row?.bill_to_email ?? '',
    purchase_order: row?.purchase_order ?? '',
    notes: row?.notes ?? '',
  };
}

/** @returns the columns to store */
export function contractColumns(form: ContractForm) {
  return {
    ...form,
    ends_on: orNull(form.ends_on),
    billing_day: parseWholeNumber(form.billing_day),
    payment_terms_days: parseWholeNumber(form.payment_terms_days),
    gap_factor: amountOrNull(form.gap_factor) ?? 1,
    agreed_headcount: form.agreed_headcount === '' ? null : Number(form.agreed_headcount),
    tax_name: orNull(form.tax_name),
    prices_include_tax: form.prices_include_tax === 'yes',
    bill_to_name: orNull(form.bill_to_name),
    bill_to_address: orNull(form.bill_to_address),
    bill_to_email: orNull(form.bill_to_email),
    purchase_order: orNull(form.purchase_order),
    notes: orNull(form.notes),
  };
}

export const BASIS_LABELS: Record<(typeof CONTRACT_POSTS_BASIS)[number], string> = {
  worked: 'Worked hours',
  fixed: 'Fixed amount a month',
  minimum: 'Worked hours, with a minimum',
};

export const postSchema = z
  .object({
    contract_id: z.uuid(),
    site_id: z.string().min(1, 'Site is required'),
    /** Empty: every shift at the site whose post has no row of its own. */
    post_id: z.string(),
    basis: z.enum(CONTRACT_POSTS_BASIS),
    monthly_amount: amountField({ name: 'Amount', negative: 'Amount cannot be negative' }),
    minimum_hours: amountField({ name: 'Hours', negative: 'Hours cannot be negative' }),
    vat_treatment: z.enum(CONTRACT_POSTS_VAT_TREATMENT),
    starts_on: dayField('Start is required'),
    ends_on: optionalDayField,
  })
  .refine(({ basis, monthly_amount }) => basis !== 'fixed' || monthly_amount !== '', {
    path: ['monthly_amount'],
    error: 'Amount is required',
  })
  .refine(({ basis, minimum_hours }) => basis !== 'minimum' || minimum_hours !== '', {
    path: ['minimum_hours'],
    error: 'Hours are required',
  })
  .refine(({ starts_on, ends_on }) => isInOrder(starts_on, ends_on), {
    path: ['ends_on'],
    error: END_BEFORE_START,
  });
export type PostForm = z.infer<typeof postSchema>;

/** @param contract whose days a new post takes over */
export const toPostForm = (
  contract: Contract,
  row?: Tables['contract_posts']['Row'],
): PostForm => ({
  contract_id: contract.id,
  site_id: row?.site_id ?? '',
  post_id: row?.post_id ?? '',
  basis: row?.basis ?? 'worked',
  monthly_amount: amountEntry(row?.monthly_amount),
  minimum_hours: amountEntry(row?.minimum_hours),
  vat_treatment: row?.vat_treatment ?? 'standard',
  starts_on: row?.starts_on ?? contract.starts_on,
  ends_on: row ? (row.ends_on ?? '') : (contract.ends_on ?? ''),
});

export const postColumns = (form: PostForm) => ({
  ...form,
  post_id: orNull(form.post_id),
  monthly_amount: form.basis === 'fixed' ? amountOrNull(form.monthly_amount) : null,
  minimum_hours: form.basis === 'minimum' ? amountOrNull(form.minimum_hours) : null,
  ends_on: orNull(form.ends_on),
});

export const rateSchema = z.object({
  contract_id: z.uuid(),
  /** Empty: every post of the contract without a rate of its own. */
  contract_post_id: z.string(),
  kind: z.enum(RATES_KIND),
  amount: z
    .string()
    .trim()
    .regex(/^\d{1,9}(\.\d{1,4})?$/, 'Rate must be an amount such as 4.25'),
  effective_from: dayField('From is required'),
});
export type RateForm = z.infer<typeof rateSchema>;

export const toRateForm = (contract: Contract, row?: Rate): RateForm => ({
  contract_id: contract.id,
  contract_post_id: row?.contract_post_id ?? '',
  kind: row?.kind ?? 'regular',
  amount: row ? String(row.amount) : '',
  effective_from: row?.effective_from ?? contract.starts_on,
});

export const rateColumns = (form: RateForm) => ({
  ...form,
  contract_post_id: orNull(form.contract_post_id),
  amount: Number(form.amount),
});
