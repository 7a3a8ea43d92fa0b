import type { Database } from '#shared/database.types.ts';
import { supabase } from '../supabase/client.ts';

type Tables = Database['public']['Tables'];
type Answer<Data> = PromiseLike<{ data: Data; count: number | null }>;

type RowsQuery<Row> = {
  eq(column: 'id', id: string): RowQuery<Row>;
  order(column: string, options: { ascending: boolean }): RowsQuery<Row>;
  limit(count: number): { throwOnError(): Answer<Row[]> };
  range(from: number, to: number): { throwOnError(): Answer<Row[]> };
};

type RowQuery<Row> = {
  maybeSingle<Shown = Row>(): { throwOnError(): Answer<Shown | null> };
};

/** The part of supabase-js's query builder that records use. Its own types can't be resolved for a generic table name. */
type QueryBuilder<Table extends keyof Tables> = {
  select(columns: string, options: { count: 'exact' }): RowsQuery<Tables[Table]['Row']>;
  insert(row: Tables[Table]['Insert']): {
    select(columns: 'id'): RowQuery<{ id: string }>;
    throwOnError(): Answer<null>;
  };
  update(columns: Tables[Table]['Update']): {
    eq(column: 'id', id: string): { select(columns: 'id'): RowQuery<{ id: string }> };
  };
  delete(): { eq(column: 'id', id: string): { select(): RowQuery<Tables[Table]['Row']> } };
};

export type RecordTable =
  | 'bank_accounts'
  | 'certifications'
  | 'checkpoints'
  | 'clients'
  | 'contract_posts'
  | 'contracts'
  | 'deployments'
  | 'equipment'
  | 'expense_reports'
  | 'financial_statements'
  | 'incident_goals'
  | 'incident_templates'
  | 'loans'
  | 'pay_bases'
  | 'pay_item_rules'
  | 'pay_items'
  | 'payment_accounts'
  | 'rate_proposals'
  | 'payroll'
  | 'rates'
  | 'rule_sets'
  | 'shifts'
  | 'sites'
  | 'staff'
  | 'time_rules'
  | 'tours'
  | 'training_courses'
  | 'vat_exemptions'
  | 'vat_registrations';

export type Row<Table extends RecordTable> = Tables[Table]['Row'];
export type Insert<Table extends RecordTable> = Tables[Table]['Insert'];
export type Update<Table extends RecordTable> = Tables[Table]['Update'];

/** The query builder of each table whose records are edited through `recordHooks`. */
export const recordTables: { [Table in RecordTable]: () => QueryBuilder<Table> } = {
  bank_accounts: () => supabase().from('bank_accounts'),
  certifications: () => supabase().from('certifications'),
  checkpoints: () => supabase().from('checkpoints'),
  clients: () => supabase().from('clients'),
  contract_posts: () => supabase().from('contract_posts'),
  contracts: () => supabase().from('contracts'),
  deployments: () => supabase().from('deployments'),
  equipment: () => supabase().from('equipment'),
  expense_reports: () => supabase().from('expense_reports'),
  financial_statements: () => supabase().from('financial_statements'),
  incident_goals: () => supabase().from('incident_goals'),
  incident_templates: () => supabase().from('incident_templates'),
  loans: () => supabase().from('loans'),
  pay_bases: () => supabase().from('pay_bases'),
  pay_item_rules: () => supabase().from('pay_item_rules'),
  pay_items: () => supabase().from('pay_items'),
  rate_proposals: () => supabase().from('rate_proposals'),
  payment_accounts: () => supabase().from('payment_accounts'),
  payroll: () => supabase().from('payroll'),
  rates: () => supabase().from('rates'),
  rule_sets: () => supabase().from('rule_sets'),
  shifts: () => supabase().from('shifts'),
  sites: () => supabase().from('sites'),
  staff: () => supabase().from('staff'),
  time_rules: () => supabase().from('time_rules'),
  tours: () => supabase().from('tours'),
  training_courses: () => supabase().from('training_courses'),
  vat_exemptions: () => supabase().from('vat_exemptions'),
  vat_registrations: () => supabase().from('vat_registrations'),
};
