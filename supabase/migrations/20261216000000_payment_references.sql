-- References that a spreadsheet keeps as they are: twelve hexadecimal digits may all be decimal, or look like 123456789E12,
-- and come back from a bank's spreadsheet as a rounded number. The letter in front makes each of them text. Payments made so
-- far keep their reference: a file with it may be on its way.
alter table public.payments alter column code drop expression;
alter table public.payments
  alter column code set default 'P' || upper(left(replace(gen_random_uuid()::text, '-', ''), 12));

-- As before, but a refused line is named by its person, or by its reference in the result: the place among the lines that
-- were sent is neither the row in the spreadsheet nor the line of the file.
create or replace function public.import_payment_result(p_file_id uuid, p_rows jsonb)
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
