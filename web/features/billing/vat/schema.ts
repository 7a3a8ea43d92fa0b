import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { VAT_RETURN_LINES_BOX } from '#shared/database.values.ts';
import { centsToNumber, sumCents } from '#shared/money.ts';
import type { Registration } from '#web/lib/data/vat-registrations.ts';
import { dayField, isInOrder, optionalDayField } from '#web/lib/form-fields/day-field.ts';
import { orNull, textField } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';

type Tables = Database['public']['Tables'];
export type VatLine = Tables['vat_return_lines']['Row'];
export type VatMonth = Database['public']['Functions']['vat_months']['Returns'][number];
export type Exemption = Tables['vat_exemptions']['Row'];
export type TaxClient = Pick<Tables['clients']['Row'], 'id' | 'name' | 'tin'> & {
  vat_exemptions: Exemption[];
};

const END_BEFORE_START = 'The end cannot be before the start';

export const registrationSchema = z
  .object({
    number: textField('Number', limits.VAT_REGISTRATIONS_NUMBER_MAX)
      .min(1, 'Number is required')
      .regex(/^[0-9A-Za-z][0-9A-Za-z /-]*$/, 'Number has letters, digits, spaces, - and /'),
    registered_from: dayField('From is required'),
    registered_to: optionalDayField,
  })
  .refine(({ registered_from, registered_to }) => isInOrder(registered_from, registered_to), {
    path: ['registered_to'],
    error: END_BEFORE_START,
  });
export type RegistrationForm = z.infer<typeof registrationSchema>;

/** @param first the first day with a rate, for a new one */
export const toRegistrationForm = (first: string, row?: Registration): RegistrationForm => ({
  number: row?.number ?? '',
  registered_from: row?.registered_from ?? first,
  registered_to: row?.registered_to ?? '',
});

export const registrationColumns = ({ registered_to, ...form }: RegistrationForm) => ({
  ...form,
  registered_to: orNull(registered_to),
});

/** What is known about a client's taxes: its number, and the certificate in force. */
export const clientTaxSchema = z
  .object({
    tin: textField('Tax number', limits.CLIENTS_TIN_MAX),
    certificate: textField('Certificate', limits.VAT_EXEMPTIONS_CERTIFICATE_MAX),
    valid_from: optionalDayField,
    valid_to: optionalDayField,
  })
  .refine(({ certificate, valid_from }) => certificate === '' || valid_from !== '', {
    path: ['valid_from'],
    error: 'A certificate counts from a day',
  })
  .refine(({ valid_from, valid_to }) => isInOrder(valid_from, valid_to), {
    path: ['valid_to'],
    error: END_BEFORE_START,
  });
export type ClientTaxForm = z.infer<typeof clientTaxSchema>;

/** @returns the certificate in force on a day, else the next or the last one */
export function shownExemption(
  { vat_exemptions }: Pick<TaxClient, 'vat_exemptions'>,
  day: string,
): Exemption | undefined {
  const inForce = vat_exemptions.find(
    ({ valid_from, valid_to }) => valid_from <= day && (valid_to === null || valid_to >= day),
  );
  const byStart = [...vat_exemptions].sort((a, b) => a.valid_from.localeCompare(b.valid_from));
  return inForce ?? byStart.find(({ valid_from }) => valid_from > day) ?? byStart.at(-1);
}

export function toClientTaxForm(client: TaxClient): ClientTaxForm {
  const shown = shownExemption(client, today());
  return {
    tin: client.tin ?? '',
    certificate: shown?.certificate ?? '',
    valid_from: shown?.valid_from ?? '',
    valid_to: shown?.valid_to ?? '',
  };
}

export const BOX_LABELS: Record<(typeof VAT_RETURN_LINES_BOX)[number], string> = {
  standard: 'Sales at the standard rate',
  zero: 'Zero-rated sales',
  exempt: 'Exempt sales',
  input: 'Purchases with VAT',
};

export type Box = {
  box: VatLine['box'];
  currency: string;
  net: number;
  vat: number;
};

/** @returns the sums of a return by box and currency, those without lines left out */
export const boxesOf = (lines: readonly VatLine[]): Box[] =>
  VAT_RETURN_LINES_BOX.flatMap((box) =>
    ['USD', 'LRD'].flatMap((currency) => {
      const own = lines.filter((line) => line.box === box && line.currency === currency);
      if (own.length === 0) return [];
      const sum = (key: 'net' | 'vat') => centsToNumber(sumCents(own.map((line) => line[key])));
      return [{ box, currency, net: sum('net'), vat: sum('vat') }];
    }),
  );
