import { formatMoney } from '#shared/money.ts';

type Basis = {
  /** For one payment, one hour or one shift. */
  amount: number;
  currency: string;
  basis: string;
  payment_frequency: string;
};

/** Follows the amount of a pay that is no salary. */
const PER: Record<string, string> = { hourly: ' an hour', shift: ' a shift' };

/** @returns for example "$143.00" or "L$150.00 an hour" */
export const formatBasis = ({
  amount,
  currency,
  basis,
}: Omit<Basis, 'payment_frequency'>): string => formatMoney(amount, currency) + (PER[basis] ?? '');

/** @returns for example "$143.00 monthly" or "L$150.00 an hour, paid weekly" */
export const describeBasis = (row: Basis): string =>
  `${formatBasis(row)}${row.basis === 'salary' ? '' : ', paid'} ${row.payment_frequency}`;
