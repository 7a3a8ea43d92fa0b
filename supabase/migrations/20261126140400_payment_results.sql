-- What banks, networks and cashiers report about the lines of a payment file.

-- The day of a text like 2026-11-30; null if it is none.
create function private.day_of_text(p_text text) returns date
language plpgsql immutable set search_path = '' as $$
begin
  return case when p_text ~ '^20[0-9]{2}-[0-9]{2}-[0-9]{2}$' then p_text::date end;
exception when datetime_field_overflow then
  return null;
end
$$;

-- Why a line of the result can't be recorded; null if nothing speaks against it.
create function private.obstacle_to_result(p_line jsonb, p_payment public.payments, p_earliest date) returns text
language plpgsql stable set search_path = '' as $$
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
    when p_payment.status = 'paid' and told = 'failed' then 'It is already paid.'
    when p_payment.status = 'paid' and p_payment.reference <> p_line ->> 'reference'
      then format('It is already paid, with reference %s.', p_payment.reference)
    when p_payment.status = 'failed' and told = 'paid' then 'It has failed before, and is to be paid again in another file.'
  end;
end
$$;

-- Records the result of lines: [{"code", "status": "paid" or "failed", "amount", "reference", "paid_on", "failure"}], all of
-- them or none. Sending the same lines again changes nothing. A failed payment is to be paid again.
create function public.import_payment_result(p_file_id uuid, p_rows jsonb)
returns table (paid integer, failed integer, unchanged integer)
language plpgsql security definer set search_path = '' as $$
declare
  file public.payment_files;
  refused jsonb[];
  earliest date;
  now_paid uuid[];
  now_failed uuid[];
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
      format('Line %s (%s)', t.place, coalesce(s.full_name, left(nullif(t.code, ''), 40), 'without reference')),
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
    update public.payments p set status = t.status, reference = t.reference,
      paid_on = case t.status when 'paid' then t.paid_on end,
      failure = case t.status when 'failed' then t.failure end
    from told t
    where p.payment_file_id = file.id and p.code = t.code and p.status = 'in_file'
    returning p.id, p.status
  )
  select coalesce(array_agg(c.id) filter (where c.status = 'paid'), '{}'),
    coalesce(array_agg(c.id) filter (where c.status = 'failed'), '{}')
  into now_paid, now_failed from changed c;
  paid := cardinality(now_paid);
  failed := cardinality(now_failed);
  unchanged := jsonb_array_length(p_rows) - paid - failed;

  update public.payroll r set payment_status = 'paid', payment_date = p.paid_on
  from public.payments p join public.payslips s on s.id = p.payslip_id
  where p.id = any (now_paid) and r.id = s.payroll_id;
  insert into public.payments (payslip_id, pay_run_id, staff_id, currency, amount)
  select p.payslip_id, p.pay_run_id, p.staff_id, p.currency, p.amount
  from public.payments p where p.id = any (now_failed);
  perform private.route_payments(array(select p.staff_id from public.payments p where p.id = any (now_failed)));
  perform private.finish_pay_run(file.pay_run_id);
  return next;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.import_payment_result from public, anon;
grant execute on function public.import_payment_result to authenticated;
