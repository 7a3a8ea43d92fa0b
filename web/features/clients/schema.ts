// What may be entered for a client (specification, section 5), and what the list is narrowed to.
import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { listSearch } from '#web/lib/data/list-search.ts';
import { amountEntry, amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { wholeNumberField, wholeNumberOf } from '#web/lib/form-fields/whole-number-field.ts';

export type Client = Database['public']['Tables']['clients']['Row'];

export const PAYMENT_METHODS = ['monthly', 'quarterly', 'annually', 'on-demand', 'cash'] as const;

export const clientSchema = z.object({
  name: textField('Client name', 200).min(1, 'Client name is required'),
  number_of_guards: wholeNumberField({
    name: 'Number of guards',
    required: 'Number of guards is required',
    minimum: 0,
    maximum: 100_000,
  }),
  /** USD. */
  monthly_rate: amountField({
    name: 'Monthly rate',
    required: 'Monthly rate is required',
    negative: 'Monthly rate cannot be negative',
  }),
  location: textField('Location', 300).min(1, 'Location is required'),
  payment_method: z.enum(PAYMENT_METHODS),
});

export type ClientForm = z.infer<typeof clientSchema>;

export const emptyForm: ClientForm = {
  name: '',
  number_of_guards: '',
  monthly_rate: '',
  location: '',
  payment_method: 'monthly',
};

/** @returns the form filled with a stored client */
export function formOf(row: Client): ClientForm {
  return {
    name: row.name,
    number_of_guards: String(row.number_of_guards),
    monthly_rate: amountEntry(row.monthly_rate),
    location: row.location,
    payment_method: row.payment_method,
  };
}

/** @returns the columns to store */
export function rowOf(form: ClientForm) {
  return {
    ...form,
    number_of_guards: wholeNumberOf(form.number_of_guards),
    monthly_rate: amountOrNull(form.monthly_rate) ?? 0,
  };
}

/** The orders of the list; by name where none is chosen. */
export const SORTS = ['-name', '-number_of_guards', '-monthly_rate', 'location'] as const;

export const clientSearch = z.object({
  ...listSearch,
  sort: z.enum(SORTS).optional().catch(undefined),
});
export type ClientSearch = z.infer<typeof clientSearch>;
