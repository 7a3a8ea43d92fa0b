-- How a pay run moves on, and that nothing of a locked one changes: for everybody, the service role included.
create function private.check_new_pay_run() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  period daterange;
begin
  perform private.require_day(new.period_start, 'first day');
  period := private.pay_period(new.pay_group, new.period_start);
  if daterange(new.period_start, new.period_end, '[]') is distinct from period then
    raise exception 'A % period has the days % to %.', new.pay_group, lower(period), upper(period) - 1
      using errcode = 'check_violation';
  end if;
  if new.status <> 'draft' then
    raise exception 'A pay run begins as a draft.' using errcode = 'check_violation';
  end if;
  select coalesce(new.lrd_per_usd, r.rate), case when new.lrd_per_usd is null then r.effective_from else new.period_end end
  into new.lrd_per_usd, new.rate_date
  from public.pay_rates r where r.kind = 'lrd_per_usd'
  order by r.effective_from <= new.period_end desc,
    case when r.effective_from <= new.period_end then new.period_end - r.effective_from
      else r.effective_from - new.period_end end
  limit 1;
  return new;
end
$$;
create trigger c_rules_of_new before insert on public.pay_runs
  for each row execute function private.check_new_pay_run();

create function private.check_pay_run() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  -- What may still change of a locked run.
  free text[] := array['status', 'paid_at', 'voided_by', 'voided_at', 'void_reason', 'updated_at',
    'created_by', 'calculated_by', 'reviewed_by', 'approved_by', 'locked_by'];
begin
  if tg_op = 'DELETE' then
    if old.status in ('locked', 'paid', 'void') then
      raise exception 'A locked pay run is kept.' using errcode = 'PT409';
    end if;
    return old;
  end if;
  if (new.pay_group, new.currency, new.period_start, new.period_end)
    <> (old.pay_group, old.currency, old.period_start, old.period_end)
  then
    raise exception 'The period of a pay run stays. Void it and begin another.' using errcode = 'PT409';
  end if;
  if old.status <> new.status and (old.status, new.status) not in (
    ('draft', 'calculated'), ('calculated', 'draft'), ('calculated', 'in_review'), ('calculated', 'approved'),
    ('in_review', 'calculated'), ('in_review', 'draft'), ('in_review', 'approved'), ('approved', 'calculated'),
    ('approved', 'locked'), ('locked', 'paid'),
    ('draft', 'void'), ('calculated', 'void'), ('in_review', 'void'), ('approved', 'void'), ('locked', 'void')
  ) then
    raise exception 'A pay run that is % can''t become %.', replace(old.status, '_', ' '), replace(new.status, '_', ' ')
      using errcode = 'PT409';
  end if;
  if old.status in ('locked', 'paid', 'void') and to_jsonb(new) - free <> to_jsonb(old) - free then
    raise exception 'This pay run is locked.' using errcode = 'PT409';
  end if;
  if new.lrd_per_usd <> old.lrd_per_usd then
    if old.status = 'approved' then
      raise exception 'This pay run is approved. Return it first.' using errcode = 'PT409';
    end if;
    new.rate_date := private.company_date();
    -- Its figures are out of date now.
    new.status := 'draft';
  end if;
  return new;
end
$$;
create trigger c_rules before update or delete on public.pay_runs
  for each row execute function private.check_pay_run();

create function private.keep_locked_payslip() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  run_status text := (select r.status from public.pay_runs r
    where r.id = case when tg_op = 'INSERT' then new.pay_run_id else old.pay_run_id end);
begin
  if run_status in ('locked', 'paid', 'void') and not (
    -- An account is deleted, or the run has just been voided.
    tg_op = 'UPDATE' and (
      new.user_id is null and to_jsonb(new) - array['user_id', 'updated_at'] = to_jsonb(old) - array['user_id', 'updated_at']
      or run_status = 'void' and new.published_at is null
        and to_jsonb(new) - array['published_at', 'updated_at'] = to_jsonb(old) - array['published_at', 'updated_at']
    )
  ) then
    raise exception 'The pay run of this payslip is locked.' using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger c_locked before insert or update or delete on public.payslips
  for each row execute function private.keep_locked_payslip();

-- Once per statement: a calculation writes thousands of lines.
create function private.keep_locked_lines() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  touched uuid[];
begin
  if tg_op = 'INSERT' then
    touched := array(select distinct n.payslip_id from new_rows n);
  elsif tg_op = 'DELETE' then
    touched := array(select distinct o.payslip_id from old_rows o);
  else
    touched := array(select o.payslip_id from old_rows o union select n.payslip_id from new_rows n);
  end if;
  if exists (
    select from public.payslips s join public.pay_runs r on r.id = s.pay_run_id
    where s.id = any (touched) and r.status in ('locked', 'paid', 'void')
  ) then
    raise exception 'The pay run of this payslip is locked.' using errcode = 'PT409';
  end if;
  return null;
end
$$;
create trigger c_locked_inserts after insert on public.payslip_lines referencing new table as new_rows
  for each statement execute function private.keep_locked_lines();
create trigger c_locked_updates after update on public.payslip_lines referencing old table as old_rows new table as new_rows
  for each statement execute function private.keep_locked_lines();
create trigger c_locked_deletes after delete on public.payslip_lines referencing old table as old_rows
  for each statement execute function private.keep_locked_lines();

create function private.is_of_pay_run(p_payroll_id uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.payslips s where s.payroll_id = p_payroll_id);

-- The payroll records of a run follow it and its payments. Functions of the database run as their owner; what the API
-- sends, with the service key too, runs as one of its roles.
create function private.keep_payroll_of_run() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_user in ('anon', 'authenticated', 'service_role') and private.is_of_pay_run(old.id) then
    raise exception 'A pay run wrote this record, so it changes only with the payments of the run.'
      using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger c_of_pay_run before update or delete on public.payroll
  for each row execute function private.keep_payroll_of_run();

-- Emptying a table whole would pass by the triggers of its rows.
create function private.refuse_truncate_of_locked_runs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.pay_runs r where r.status in ('locked', 'paid')) then
    raise exception 'Pay runs are locked, so this table can''t be emptied.' using errcode = 'PT409';
  end if;
  return null;
end
$$;
create trigger c_locked_truncate before truncate on public.pay_runs
  for each statement execute function private.refuse_truncate_of_locked_runs();
create trigger c_locked_truncate before truncate on public.payslips
  for each statement execute function private.refuse_truncate_of_locked_runs();
create trigger c_locked_truncate before truncate on public.payslip_lines
  for each statement execute function private.refuse_truncate_of_locked_runs();
create trigger c_locked_truncate before truncate on public.staff_ledger
  for each statement execute function private.refuse_truncate_of_locked_runs();

revoke all on all functions in schema private from public;
grant execute on function private.is_of_pay_run to authenticated, service_role;
