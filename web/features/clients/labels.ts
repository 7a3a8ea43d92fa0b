// How clients pay, and the orders of their list, in words.
import type { Client, ClientSearch } from './schema.ts';

export const PAYMENT_LABELS: Record<Client['payment_method'], string> = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  annually: 'Annually',
  'on-demand': 'On demand',
  cash: 'Cash',
};

export const SORT_LABELS: Record<NonNullable<ClientSearch['sort']>, string> = {
  '-name': 'Name, Z to A',
  '-number_of_guards': 'Most guards',
  '-monthly_rate': 'Highest monthly rate',
  location: 'Location',
};
