-- A payment that the bank returns after it was paid: it stays as it was, with the day and the reason of the return, and a new one
-- is to be paid. The books show both days: the old one never changes.
alter table public.payments add column returned_on date;
alter table public.payments drop constraint payments_status_check, drop constraint payments_failed, drop constraint payments_paid,
  add constraint payments_status_check check (status in ('to_pay', 'in_file', 'paid', 'failed', 'returned')),
  add constraint payments_failed check ((status in ('failed', 'returned')) = (failure is not null)),
  add constraint payments_paid check ((status in ('paid', 'returned')) = (paid_on is not null)),
  add constraint payments_returned check ((status = 'returned') = (returned_on is not null)),
  add constraint payments_returned_after_paid check (returned_on >= paid_on);
drop index public.payments_one_per_payslip;
create unique index payments_one_per_payslip on public.payments (payslip_id) where status not in ('failed', 'returned');

-- What the person and the office see on the record until it is paid again.
alter table public.payroll add column returned_on date, add column return_reason text,
  add constraint payroll_return_reason_check check (char_length(return_reason) <= 500),
  add constraint payroll_returned check ((returned_on is null) = (return_reason is null)),
  add constraint payroll_returned_is_unpaid check (returned_on is null or payment_status <> 'paid');

create or replace function private.refuse_change_of_payment()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.status = 'to_pay' then
      return old;
    end if;
    raise exception 'A payment in a file is kept.' using errcode = 'PT409';
  end if;
  if old.status = 'paid' and new.status = 'returned'
    and to_jsonb(new) - array['status', 'returned_on', 'failure', 'updated_at']
      = to_jsonb(old) - array['status', 'returned_on', 'failure', 'updated_at']
  then
    return new;
  end if;
  if old.status in ('paid', 'failed', 'returned')
    or (old.payslip_id, old.pay_run_id, old.staff_id, old.currency, old.amount)
      is distinct from (new.payslip_id, new.pay_run_id, new.staff_id, new.currency, new.amount)
    or old.status = 'in_file' and (new.status = 'to_pay'
      or (old.channel, old.account_name, old.account_number, old.bank_name, old.payment_file_id, old.line)
        is distinct from (new.channel, new.account_name, new.account_number, new.bank_name, new.payment_file_id, new.line))
  then
    raise exception 'A payment in a file can''t be changed.' using errcode = 'PT409';
  end if;
  return new;
end
$function$;

-- A run that was paid has something to pay again.
create function private.check_reopened_run() returns trigger
language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - array['status', 'paid_at', 'updated_at'] <> to_jsonb(old) - array['status', 'paid_at', 'updated_at']
    or new.paid_at is not null
    or not exists (select from public.payments p where p.pay_run_id = new.id and p.status = 'to_pay')
  then
    raise exception 'A paid run has nothing to pay.' using errcode = 'PT409';
  end if;
  return new;
end
$$;
drop trigger c_rules on public.pay_runs;
create trigger c_rules before delete on public.pay_runs for each row execute function private.check_pay_run();
create trigger c_rules_of_changes before update on public.pay_runs
  for each row when (not (old.status = 'paid' and new.status = 'locked')) execute function private.check_pay_run();
create trigger c_rules_of_reopened before update on public.pay_runs
  for each row when (old.status = 'paid' and new.status = 'locked') execute function private.check_reopened_run();

-- What follows for payments that were just marked as returned.
create function private.pay_returned_again(p_ids uuid[]) returns void
language plpgsql set search_path = '' as $$
begin
  update public.payroll r set payment_status = 'pending', payment_date = null, returned_on = p.returned_on,
    return_reason = p.failure
  from public.payments p join public.payslips s on s.id = p.payslip_id
  where p.id = any (p_ids) and r.id = s.payroll_id;
  insert into public.payments (payslip_id, pay_run_id, staff_id, currency, amount)
  select p.payslip_id, p.pay_run_id, p.staff_id, p.currency, p.amount from public.payments p where p.id = any (p_ids);
  perform private.route_payments(array(select p.staff_id from public.payments p where p.id = any (p_ids)));
  update public.pay_runs r set status = 'locked', paid_at = null
  where r.status = 'paid' and r.id in (select p.pay_run_id from public.payments p where p.id = any (p_ids));
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Your pay for ' || private.period_text(u.period_start, u.period_end) || ' came back',
    left(format('%s was returned on %s: %s. It will be paid again.', private.money_text(p.amount, p.currency),
      to_char(p.returned_on, 'Mon FMDD'), p.failure), 500),
    '/staff/payslips?open=' || s.payroll_id, 'payment returned:' || p.id
  from public.payments p join public.payslips s on s.id = p.payslip_id join public.pay_runs u on u.id = p.pay_run_id
  where p.id = any (p_ids) and s.user_id is not null
  on conflict (dedupe_key) do nothing;
end
$$;

create or replace function private.obstacle_to_result(p_line jsonb, p_payment payments, p_earliest date)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  told text := p_line ->> 'status';
  amount text := replace(p_line ->> 'amount', ',', '');
  paid_on text := p_line ->> 'paid_on';
begin
  return case
    when p_payment.id is null then 'It is not in this file.'
    when told is null or told not in ('paid', 'failed') then 'Its status must be paid or failed.'
    when amount !~ '^[0-9]{1,12}([.][0-9]{1,4})?$' then 'Its amount is not a number.'
    when amount::numeric <> p_payment.amount
      then format('Its amount is %s, but %s was to be paid.', amount, p_payment.amount)
    when char_length(p_line ->> 'reference') > 100 then 'Its reference is longer than 100 characters.'
    when told = 'paid' and paid_on is not null and private.day_of_text(paid_on) is null then 'Its date is not a day.'
    when told = 'paid' and private.day_of_text(paid_on) not between p_earliest and private.company_date()
      then format('Its date must be between %s and today.', to_char(p_earliest, 'Mon FMDD, YYYY'))
    when p_payment.status = 'paid' and told = 'failed' and paid_on is not null and private.day_of_text(paid_on) is null
      then 'Its date is not a day.'
    when p_payment.status = 'paid' and told = 'failed'
        and private.day_of_text(paid_on) not between p_payment.paid_on and private.company_date()
      then format('It was paid on %s, so it was returned between that day and today.', to_char(p_payment.paid_on, 'Mon FMDD, YYYY'))
    when p_payment.status = 'returned' and told = 'paid' and (p_payment.reference <> p_line ->> 'reference'
        or private.day_of_text(paid_on) > p_payment.returned_on)
      then format('It was returned on %s, and is to be paid again in another file.', to_char(p_payment.returned_on, 'Mon FMDD, YYYY'))
    when p_payment.status = 'paid' and p_payment.reference <> p_line ->> 'reference'
      then format('It is already paid, with reference %s.', p_payment.reference)
    when p_payment.status = 'failed' and told = 'paid' then 'It has failed before, and is to be paid again in another file.'
  end;
end
$function$;

drop function public.import_payment_result(uuid, jsonb);
create function public.import_payment_result(p_file_id uuid, p_rows jsonb)
 RETURNS TABLE(paid integer, failed integer, unchanged integer, returned integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  file public.payment_files;
  refused jsonb[];
  earliest date;
  now_paid uuid[];
  now_failed uuid[];
  now_returned uuid[];
begin
  perform private.require_pay_role();
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 5000
    or exists (select from jsonb_array_elements(p_rows) e where jsonb_typeof(e) <> 'object')
  then
    raise exception 'A result has between 1 and 5000 lines.' using errcode = 'invalid_parameter_value';
  end if;
  select * into file from public.payment_files f where f.id = p_file_id;
  if not found then
    raise exception 'There is no such payment file.' using errcode = 'PT404';
  end if;
  -- Results and new files of a run take turns.
  perform from public.pay_runs r where r.id = file.pay_run_id for update;
  earliest := (file.created_at at time zone (select s.time_zone from private.settings s))::date;

  with told as (
    select e as line, place, upper(btrim(e ->> 'code')) as code,
      count(*) over (partition by upper(btrim(e ->> 'code'))) as times
    from jsonb_array_elements(p_rows) with ordinality sent (e, place)
  )
  select array_agg(jsonb_build_object('id', coalesce(left(t.code, 40), ''), 'name',
      coalesce(s.full_name, 'Reference ' || left(nullif(t.code, ''), 40), 'A line without reference'),
      'reason', o.reason) order by t.place)
  into refused
  from told t
  left join public.payments p on p.payment_file_id = file.id and p.code = t.code
  left join public.staff s on s.id = p.staff_id
  cross join lateral (
    select case when t.times > 1 and p.id is not null then 'It is in the result more than once.'
      else private.obstacle_to_result(t.line, p, earliest) end as reason
  ) o
  where o.reason is not null;
  perform private.refuse_many(refused, jsonb_array_length(p_rows), 'recorded');

  with told as (
    select upper(btrim(e ->> 'code')) as code, e ->> 'status' as status, nullif(btrim(e ->> 'reference'), '') as reference,
      coalesce(private.day_of_text(e ->> 'paid_on'), private.company_date()) as paid_on,
      coalesce(left(nullif(btrim(e ->> 'failure'), ''), 500), 'No reason given') as failure
    from jsonb_array_elements(p_rows) e
  ), changed as (
    update public.payments p set status = case p.status when 'paid' then 'returned' else t.status end,
      reference = case p.status when 'paid' then p.reference else t.reference end,
      paid_on = case when p.status = 'paid' then p.paid_on when t.status = 'paid' then t.paid_on end,
      returned_on = case p.status when 'paid' then t.paid_on end,
      failure = case t.status when 'failed' then t.failure end
    from told t
    where p.payment_file_id = file.id and p.code = t.code
      and (p.status = 'in_file' or p.status = 'paid' and t.status = 'failed')
    returning p.id, p.status
  )
  select coalesce(array_agg(c.id) filter (where c.status = 'paid'), '{}'),
    coalesce(array_agg(c.id) filter (where c.status = 'failed'), '{}'),
    coalesce(array_agg(c.id) filter (where c.status = 'returned'), '{}')
  into now_paid, now_failed, now_returned from changed c;
  paid := cardinality(now_paid);
  failed := cardinality(now_failed);
  returned := cardinality(now_returned);
  unchanged := jsonb_array_length(p_rows) - paid - failed - returned;

  update public.payroll r set payment_status = 'paid', payment_date = p.paid_on, returned_on = null, return_reason = null
  from public.payments p join public.payslips s on s.id = p.payslip_id
  where p.id = any (now_paid) and r.id = s.payroll_id;
  insert into public.payments (payslip_id, pay_run_id, staff_id, currency, amount)
  select p.payslip_id, p.pay_run_id, p.staff_id, p.currency, p.amount
  from public.payments p where p.id = any (now_failed);
  perform private.route_payments(array(select p.staff_id from public.payments p where p.id = any (now_failed)));
  perform private.pay_returned_again(now_returned);
  perform private.finish_pay_run(file.pay_run_id);
  return next;
end
$function$;
revoke all on function public.import_payment_result from public, anon;
grant execute on function public.import_payment_result to authenticated;

create or replace function private.journal_entries(p_from date, p_to date)
 RETURNS TABLE(day date, kind text, document text, place integer, key text, amount numeric, currency text, text text)
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 10000
 SET search_path TO ''
AS $function$
  with runs as materialized (
    -- A locked run that was voided is booked, and booked back on the day of voiding.
    select r.id, r.currency, b.day, b.sign, b.kind, format('PAY %s %s %s', r.period_end, r.pay_group, r.currency) as document,
      format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from public.pay_runs r
    cross join lateral (values
      ('pay_run', r.period_end, 1), ('pay_run_void', private.company_date_of(r.voided_at), -1)
    ) b (kind, day, sign)
    where r.locked_at is not null and b.day between p_from and p_to
  ), sums as materialized (
    select s.* from private.run_sums(array(select distinct r.id from runs r)) s
  ), invoices as (
    select i.issued_on as day, 'invoice' as kind, i.number as document, i.currency, 1 as sign, i.total, i.tax, c.name as text
    from public.invoices i join public.clients c on c.id = i.client_id
    where i.status <> 'draft' and i.issued_on between p_from and p_to
    union all
    select n.issued_on, 'credit_note', n.number, n.currency, -1, n.amount, n.tax, format('%s, %s: %s', c.name, i.number, n.reason)
    from public.credit_notes n join public.invoices i on i.id = n.invoice_id join public.clients c on c.id = n.client_id
    where n.issued_on between p_from and p_to
  ), booked as (
    select r.*, 'receipt' as kind, r.received_on as day, 1 as sign
    from public.receipts r where r.received_on between p_from and p_to
    union all
    select r.*, 'receipt_void', private.company_date_of(r.voided_at), -1
    from public.receipts r
    where r.voided_at is not null and private.company_date_of(r.voided_at) between p_from and p_to
  ), methods as materialized (
    select m.method, private.receipt_method_text(m.method) as text from (select distinct b.method from booked b) m
  ), receipts as (
    select b.day, b.kind, format('RCT %s', upper(left(b.id::text, 8))) as document, b.currency, b.sign * b.amount as amount,
      case b.method when 'cash' then 'cash' when 'mobile_money' then 'mobile_money' else 'bank' end as key,
      concat_ws(', ', c.name, m.text, b.reference) as text
    from booked b join public.clients c on c.id = b.client_id join methods m on m.method = b.method
  ), paid as (
    -- What the bank returned is booked on the day it was paid, and booked back on the day of the return.
    select p.day, p.kind, format('%s %s %s %s', case p.kind when 'payment' then 'PAID' else 'RETURNED' end, r.period_end,
        r.pay_group, r.currency) as document, p.currency, p.key,
      p.amount, format('%s pay, %s', initcap(r.pay_group), private.period_text(r.period_start, r.period_end)) as text
    from (
      select b.day, b.kind, p.pay_run_id, p.currency,
        case p.channel when 'cash' then 'cash' when 'bank' then 'bank' else 'mobile_money' end as key,
        sum(b.sign * p.amount) as amount
      from public.payments p
      cross join lateral (values ('payment', p.paid_on, 1), ('payment_return', p.returned_on, -1)) b (kind, day, sign)
      where p.status in ('paid', 'returned') and b.day between p_from and p_to
      group by 1, 2, 3, 4, 5
    ) p
    join public.pay_runs r on r.id = p.pay_run_id
  )
  select i.day, i.kind, i.document, e.place, e.key, i.sign * e.amount, i.currency, i.text
  from invoices i
  cross join lateral (values
    (1, 'receivables', i.total), (2, 'revenue', i.tax - i.total), (3, 'tax_payable', -i.tax)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, e.amount, r.currency, r.text
  from receipts r cross join lateral (values (1, r.key, r.amount), (2, 'receivables', -r.amount)) e (place, key, amount)
  union all
  select r.day, r.kind, r.document, e.place, e.key, r.sign * e.amount, r.currency, r.text
  from runs r join sums s on s.pay_run_id = r.id
  cross join lateral (values
    (1, 'wages', s.gross), (2, 'employer_contributions', s.employer_cost), (3, 'income_tax_payable', s.income_tax),
    (4, 'nasscorp_payable', s.nasscorp), (5, 'staff_advances', s.staff_advances),
    (6, 'other_deductions', s.other_deductions), (7, 'nasscorp_payable', -s.employer_cost),
    (9, 'wages_payable', -s.net)) e (place, key, amount)
  union all
  select p.day, p.kind, p.document, e.place, e.key, e.amount, p.currency, p.text
  from paid p cross join lateral (values (1, 'wages_payable', p.amount), (2, p.key, -p.amount)) e (place, key, amount);
$function$;

drop function public.my_payslips();
create function public.my_payslips()
 RETURNS TABLE(id uuid, full_name text, role text, period_start date, period_end date, base_amount numeric, deductions numeric, bonuses numeric, net_amount numeric, payment_date date, payment_status text, notes text, calculation jsonb, currency text, payslips jsonb, returned_on date, return_reason text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p.id, s.full_name, s.role, p.period_start, p.period_end, p.base_amount, p.deductions, p.bonuses,
    p.net_amount, p.payment_date, p.payment_status, p.notes, p.calculation, p.currency,
    (select jsonb_build_object('gross', t.gross, 'deductions', t.deductions, 'net', t.net, 'currency', t.currency,
        'payslip_lines', (
          select coalesce(jsonb_agg(jsonb_build_object('position', l.position, 'label', l.label, 'quantity', l.quantity,
            'unit', l.unit, 'rate', l.rate, 'amount', l.amount, 'explanation', l.explanation) order by l.position), '[]')
          from public.payslip_lines l where l.payslip_id = t.id))
      from public.payslips t where t.payroll_id = p.id and t.published_at is not null),
    p.returned_on, p.return_reason
  from public.staff s
  join public.payroll p on p.staff_id = s.id
  -- Null if the caller is not a member or has no staff record.
  where s.id = (select private.own_staff_id())
  order by p.period_start desc, p.created_at desc;
$function$;
comment on function public.my_payslips is 'Nullable: payment_date, notes, calculation, payslips, returned_on, return_reason';
revoke all on function public.my_payslips from public, anon;
grant execute on function public.my_payslips to authenticated;
revoke all on all functions in schema private from public;

-- The day of a return is a day of the books: where they can be closed, it is not in a closed period.
do $$
begin
  if to_regprocedure('private.keep_closed_books()') is not null then
    create trigger y_books_of_returned after update on public.payments for each row
      when (old.returned_on is distinct from new.returned_on)
      execute function private.keep_closed_books('returned_on');
  end if;
end
$$;
