-- From a locked pay run to money: its payments, files for banks and networks, and what came of each line.

-- One payment for every payslip with something to pay.
create function private.make_payments(p_run_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  insert into public.payments (payslip_id, pay_run_id, staff_id, currency, amount)
  select s.id, s.pay_run_id, s.staff_id, s.currency, s.net
  from public.payslips s
  where s.pay_run_id = p_run_id and s.net > 0
  on conflict do nothing;
  perform private.route_payments(array(
    select p.staff_id from public.payments p where p.pay_run_id = p_run_id and p.status = 'to_pay'));
end
$$;

-- A run is paid when nothing is left to pay. Payslips without anything to pay are paid with it.
create function private.finish_pay_run(p_run_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (
    select from public.payments p where p.pay_run_id = p_run_id and p.status in ('to_pay', 'in_file')
  ) then
    return;
  end if;
  update public.payroll r set payment_status = 'paid', payment_date = coalesce(
    (select max(p.paid_on) from public.payments p where p.pay_run_id = p_run_id), private.company_date())
  where r.payment_status = 'pending' and r.net_amount = 0
    and r.id in (select s.payroll_id from public.payslips s where s.pay_run_id = p_run_id);
  update public.pay_runs r set status = 'paid', paid_at = now() where r.id = p_run_id and r.status = 'locked';
end
$$;

create function private.pay_locked_run() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.make_payments(new.id);
  perform private.finish_pay_run(new.id);
  return null;
end
$$;

create trigger z_makes_payments after update of status on public.pay_runs
  for each row when (new.status = 'locked' and old.status is distinct from 'locked')
  execute function private.pay_locked_run();

-- A run can be voided until money may have left: then its payments go too.
create function private.refuse_void_after_payment() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  paid integer;
  waiting integer;
begin
  select count(*) filter (where p.status = 'paid'), count(*) filter (where p.status = 'in_file') into paid, waiting
  from public.payments p where p.pay_run_id = new.id;
  if paid > 0 or old.status = 'paid' then
    raise exception 'Payments of this run have been made, so it can''t be voided. Correct it in the next run.'
      using errcode = 'PT409';
  elsif waiting > 0 then
    raise exception 'A payment file of this run has no result yet. Record its result first.' using errcode = 'PT409';
  end if;
  delete from public.payments p where p.pay_run_id = new.id and p.status = 'to_pay';
  return new;
end
$$;

create trigger c_void_before_payment before update of status on public.pay_runs
  for each row when (new.status = 'void' and old.status is distinct from 'void')
  execute function private.refuse_void_after_payment();

-- One line of a file, in the columns of the format.
create function private.payment_line(
  p_payment public.payments, p_line integer, p_staff_name text, p_period text, p_format public.payment_formats
) returns text
language sql stable set search_path = ''
return (
  select string_agg(
    case c ->> 'field'
      when 'line' then p_line::text
      when 'code' then p_payment.code
      when 'amount' then p_payment.amount::text
      when 'currency' then p_payment.currency
      when 'date' then to_char(private.company_date(), p_format.date_format)
      when 'account_number' then private.csv_field(p_payment.account_number, p_format.delimiter)
      else private.csv_field(case c ->> 'field'
        when 'staff_name' then p_staff_name
        when 'account_name' then p_payment.account_name
        when 'bank_name' then p_payment.bank_name
        when 'period' then p_period
        when 'company_text' then p_format.company_text
      end, p_format.delimiter, true)
    end, p_format.delimiter order by place)
  from jsonb_array_elements(p_format.columns) with ordinality listed (c, place)
);

-- Payments with their place in a file, by name.
create function private.numbered_payments(p_ids uuid[])
returns table (id uuid, line integer, staff_name text)
language sql stable set search_path = '' as $$
  select p.id, row_number() over (order by s.full_name, p.code)::integer, s.full_name
  from public.payments p join public.staff s on s.id = p.staff_id
  where p.id = any (p_ids);
$$;

create function private.payment_file_content(p_ids uuid[], p_period text, p_format public.payment_formats) returns text
language sql stable set search_path = ''
return (
  select case when p_format.has_header then (
      select string_agg(private.csv_field(c ->> 'header', p_format.delimiter, true), p_format.delimiter order by place)
      from jsonb_array_elements(p_format.columns) with ordinality heading (c, place)
    ) || E'\r\n' else '' end
    || string_agg(private.payment_line(p, n.line, n.staff_name, p_period, p_format), E'\r\n' order by n.line) || E'\r\n'
  from private.numbered_payments(p_ids) n join public.payments p on p.id = n.id
);

-- The next file of a run for a channel: all its payments that can be made. Two callers take turns.
create function public.create_payment_file(p_run_id uuid, p_channel text, p_currency text) returns public.payment_files
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs;
  format public.payment_formats;
  file public.payment_files;
  chosen uuid[];
begin
  perform private.require_pay_role();
  select * into run from public.pay_runs r where r.id = p_run_id for update;
  if not found then
    raise exception 'This pay run no longer exists.' using errcode = 'PT404';
  end if;
  if run.status not in ('locked', 'paid') then
    raise exception 'Lock the pay run first.' using errcode = 'PT409';
  end if;
  select * into format from public.payment_formats f where f.channel = p_channel and f.currency = p_currency;
  if not found then
    raise exception 'Choose a channel and a currency.' using errcode = 'invalid_parameter_value';
  end if;
  -- Locked, so that no account changes between here and the file.
  chosen := array(
    select p.id from public.payments p
    where p.pay_run_id = p_run_id and p.status = 'to_pay' and p.blocked is null
      and p.channel = p_channel and p.currency = p_currency
    for update
  );
  if cardinality(chosen) = 0 then
    raise exception 'Nothing is to be paid this way.' using errcode = 'PT409';
  end if;
  file.content := private.payment_file_content(
    chosen, format('Pay %s to %s', run.period_start, run.period_end), format);
  insert into public.payment_files (pay_run_id, number, channel, currency, content, line_count, control_total, sha256)
  select p_run_id,
    1 + (select count(*) from public.payment_files f where f.pay_run_id = p_run_id),
    p_channel, p_currency, file.content, cardinality(chosen),
    (select sum(p.amount) from public.payments p where p.id = any (chosen)),
    encode(sha256(convert_to(file.content, 'UTF8')), 'hex')
  returning * into file;
  update public.payments p set status = 'in_file', payment_file_id = file.id, line = n.line
  from private.numbered_payments(chosen) n
  where p.id = n.id;
  return file;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.create_payment_file from public, anon;
grant execute on function public.create_payment_file to authenticated;
