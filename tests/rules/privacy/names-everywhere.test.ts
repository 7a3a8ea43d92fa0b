// Where the name of an erased person may still stand: looks through every column of text or JSON of the database.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { admin, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const NAME = 'Korto Massaquoi';

/**
 * A name that clients, sites and the like have as well is not replaced in texts, and no account works with another role.
 * personal-data.test.ts looks at accounts and at the activity log.
 */
const NOT_FILLED = [
  'auth.mfa_factors',
  'auth.users',
  'private.erasures',
  'private.held_rights',
  'private.personal_data',
  'private.retention_parts',
  'private.settings',
  'public.audit_log',
  'public.checkpoints.name',
  'public.client_contacts.full_name',
  'public.clients.name',
  'public.contracts.bill_to_name',
  'public.devices.name',
  'public.posts.name',
  'public.profiles.full_name',
  'public.sites.name',
  'public.staff.full_name',
  'public.tours.name',
  'public.user_roles',
  'storage.buckets',
  'storage.signing_secret',
];

/** Columns of `public` that keep it, by the reason. A new column is put here, or into `texts` of private.personal_data. */
const STAYS: Record<string, Record<string, string>> = {
  'as it was issued, filed or sent to a bank': {
    credit_notes: 'reason',
    incident_letters: 'actions address addressee facts signatory signatory_title subject',
    invoice_lines: 'description explanation tax_name',
    invoices: 'note problems purchase_order vat_number',
    pay_return_lines: 'kind',
    pay_returns: 'employer_number paid_reference reopened_reason',
    payment_files: 'content',
    payslip_lines: 'explanation label source',
    quote_lines: 'post_name tax_name',
    quotes: 'client_name contact_name reason site_address site_name terms vat_number',
    vat_return_lines: 'document party tin',
    vat_returns: 'paid_reference reopened_reason',
  },
  'the books and the papers of clients and banks': {
    bank_accounts: 'account_number account_title address bank_name notes',
    bank_imports: 'file_name',
    bank_lines: 'description reference',
    book_entries: 'description',
    contracts: 'bill_to_address notes purchase_order tax_name title',
    disputes: 'reason',
    expense_reports: 'notes supplier supplier_tin title',
    financial_statements: 'notes title',
    loans: 'account_title account_type bank_name loan_account_number notes',
    pay_runs: 'void_reason',
    payments: 'bank_name code',
    receipts: 'note reference',
    refunds: 'reason reference',
    vat_exemptions: 'certificate',
    vat_registrations: 'number tax_name',
  },
  'a code or key of the product, or figures': {
    alerts: 'cause',
    assignments: 'overridden_rules role_at_shift',
    book_entry_lines: 'account',
    checkpoint_scans: 'code',
    evidence: 'type',
    panel_events: 'body event_key',
    payroll: 'calculation',
    post_pages: 'changes withheld_kinds',
    post_requirements: 'preset',
    retention_rules: 'kind',
    saved_views: 'hidden_columns',
    timesheet_days: 'issues',
    timesheets: 'issues',
  },
  'how the company is set up: names and addresses of things, rules, orders, where they come from': {
    alarm_panels: 'name',
    bank_feeds: 'amount_heading balance_heading day_heading description_heading reference_heading',
    billing_settings: 'address terms',
    chart_of_accounts: 'code name',
    clients: 'location tin',
    company_holidays: 'name',
    company_numbers: 'nasscorp_number tin',
    equipment: 'name serial',
    incident_goals: 'name',
    incident_templates: 'questions title',
    pay_item_rules: 'source',
    pay_items: 'name',
    pay_rates: 'source',
    payment_accounts: 'note number provider title',
    payment_formats: 'company_text paid_words',
    post_orders: 'body title',
    posts: 'gender_reason notes',
    public_holidays: 'name',
    rate_proposals: 'name source',
    response_units: 'call_sign vehicle',
    rule_sets: 'name sources',
    sites: 'address client_name',
    tax_number_formats: 'source',
    tax_rates: 'name source',
    time_rules: 'name sources',
    training_courses: 'description title',
  },
  'of visitors, callers, enquirers and contacts, who have erasures of their own': {
    client_contacts: 'phone',
    contact_messages: 'company message name note',
    letter_acknowledgements: 'contact_name',
    service_calls: 'address client_name',
    visits: 'badge plate',
  },
  'the work of a guard without an account': { deployments: 'client_name guard_name location' },
};

/** Settles what keeps the guard from being erased. */
const LEAVE = `
  set local session_replication_role = replica;
  update pay_runs set status = 'locked';
  update payments set status = 'paid', paid_on = '2026-10-01', payment_file_id = gen_random_uuid(), line = 1,
    account_name = 'X', account_number = 'X', channel = 'mtn_momo';
  update timesheets set status = 'locked';
  update timesheet_disputes set status = 'answered', answer = 'Yes';
  update pay_adjustments set status = 'approved';
  update incidents set status = 'closed';
  update profiles set left_on = private.company_date() - 1, full_name = '${NAME}' where id = '${guardHere.id}';
  update staff set status = 'inactive', end_date = private.company_date() - 1, full_name = '${NAME}'
  where user_id = '${guardHere.id}';
  insert into private.daily_reports (day, facts) values ('2026-01-01', '{}');
  set local session_replication_role = origin`;

/** Writes the name into all columns that can hold it; into one row where a constraint does not allow more. */
const FILL = `
  create function pg_temp.fill(p_not text[]) returns void language plpgsql as $$
  declare
    place record;
    became text;
  begin
    create temporary table filled on commit drop as
    select format('%s.%s', n.nspname, c.relname) as target, a.attname as name, a.atttypid::regtype::text as type, false as is_filled
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and n.nspname in ('public', 'private', 'auth', 'storage')
      and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text[]'::regtype)
      and format('%s.%s', n.nspname, c.relname) <> all (p_not)
      and format('%s.%s.%s', n.nspname, c.relname, a.attname) <> all (p_not);
    set local session_replication_role = replica;
    for place in select * from filled loop
      became := format(case
        when place.type = 'text[]' then 'array[%2$L]'
        when place.type like 'json%' then 'case jsonb_typeof(%1$I::jsonb) when ''object'' then
          %1$I::jsonb || jsonb_build_object(''said'', %2$L::text) else to_jsonb(array[%2$L::text]) end'
        else '%2$L' end, place.name, '${NAME}');
      for round in 1 .. 2 loop
        begin
          execute format('update only %s r set %I = (%s)::%s %s', place.target, place.name, became, place.type,
            case round when 2 then format('where r.ctid = (select ctid from %s limit 1)', place.target) else '' end);
          update filled f set is_filled = true where (f.target, f.name) = (place.target, place.name);
          exit;
        exception when integrity_constraint_violation or string_data_right_truncation then
          null;
        end;
      end loop;
    end loop;
    set local session_replication_role = origin;
  end $$`;

/** Columns that still have the name in a record of the person, or that no step of an erasure looks at. */
const LEFT = `
  create function pg_temp.places(p_account uuid, p_staff uuid) returns setof text language plpgsql as $$
  declare
    place record;
    own bigint;
    hits bigint;
  begin
    for place in
      select f.target, f.name, coalesce(string_agg(p.belongs, ') or ('), 'false') as belongs,
        coalesce(bool_or(p.on_erasure = 'delete' or f.name = any (p.texts || p.blanked)), false) as is_covered
      from filled f left join private.personal_data p on p.target = f.target
      where f.is_filled group by f.target, f.name order by 1, 2
    loop
      execute format('select count(*), count(*) filter (where (%s)) from %s r where r.%I::text like $3',
        place.belongs, place.target, place.name) into hits, own using p_account, p_staff, '%${NAME}%';
      if own > 0 or hits > 0 and not place.is_covered then
        return next format('%s.%s', place.target, place.name);
      end if;
    end loop;
  end $$`;

const SWEEP = `do $$ begin
  for i in 1 .. 1000 loop
    perform private.continue_erasures();
    exit when not exists (select from private.erasures where finished_at is null);
  end loop;
end $$`;

test('nothing that is stored keeps the name, except where a reason says so', () =>
  rolledBack(database.owner, async (client) => {
    const claims = JSON.stringify(admin.claims);
    await client.query(`select set_config('request.jwt.claims', $1, true)`, [claims]);
    await client.query(LEAVE);
    await client.query(FILL);
    await client.query(LEFT);
    const { rows: staff } = await client.query<{ id: string }>(
      'select id from staff where user_id = $1',
      [guardHere.id],
    );
    await client.query('select pg_temp.fill($1)', [NOT_FILLED]);
    await client.query('select erase_person($1, $2)', [guardHere.id, NAME]);
    await client.query(SWEEP);
    const failed = await client.query('select failures, has_namesake from private.erasures');
    expect(failed.rows).toEqual([{ failures: {}, has_namesake: false }]);
    const { rows } = await client.query<{ places: string }>('select pg_temp.places($1, $2)', [
      guardHere.id,
      staff[0]?.id,
    ]);
    const allowed = Object.values(STAYS).flatMap((tables) =>
      Object.entries(tables).flatMap(([table, columns]) =>
        columns.split(' ').map((column) => `public.${table}.${column}`),
      ),
    );
    expect(rows.map(({ places }) => places)).toEqual(allowed.sort());
  }));
