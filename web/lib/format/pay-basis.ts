import { formatMoney } from '#shared/money.ts';

type Basis = {
  /** Of one payment, one hour or one shift. */
  amount: number;
  currency: string;
  basis: string;
  payment_frequency: string;
};

/** @returns for example "$143.00 monthly" or "L$150.00 an hour, paid weekly" */
export function describeBasis({ amount, currency, basis, payment_frequency }: Basis): string {
  const money = formatMoney(amount, currency);
  if (basis === 'hourly') return `${money} an hour, paid ${payment_frequency}`;
  if (basis === 'shift') return `${money} a shift, paid ${payment_frequency}`;
  return `${money} ${payment_frequency}`;
}
