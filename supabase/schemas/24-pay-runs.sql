-- Pay runs: from draft to locked, and voided again.

-- ── Tables ────────────────────────────────────────────────────────────

-- Pay runs, their payslips and the lines of which each payslip consists. Written by functions; once a run is locked,
-- its rows never change, for anybody.
create table public.pay_runs (
  id uuid default gen_random_uuid() primary key,
  pay_group text not null check (pay_group in ('weekly', 'bi-weekly', 'monthly')),
  currency text not null check (currency in ('USD', 'LRD')),
  period_start date not null,
  period_end date not null, -- Inclusive.
  status text not null default 'draft'
    check (status in ('draft', 'calculated', 'in_review', 'approved', 'locked', 'paid', 'void')),
  -- The rate of exchange that the run uses for tax bands and minimum wage, and since when it has been in force.
  lrd_per_usd numeric(14,6) not null check (lrd_per_usd > 0 and lrd_per_usd < 'Infinity'::numeric),
  rate_date date not null,
  calculated_by uuid references public.profiles on delete set null,
  calculated_at timestamptz,
  reviewed_by uuid references public.profiles on delete set null,
  reviewed_at timestamptz,
  approved_by uuid references public.profiles on delete set null,
  approved_at timestamptz,
  locked_by uuid references public.profiles on delete set null,
  locked_at timestamptz,
  paid_at timestamptz,
  voided_by uuid references public.profiles on delete set null,
  voided_at timestamptz,
  void_reason text check (char_length(void_reason) between 1 and 500),
  -- [{code, staff_id, name, text}]: what the calculation could not settle.
  problems jsonb not null default '[]'::jsonb check (jsonb_typeof(problems) = 'array'),
  people integer not null default 0, -- Derived by the calculation.
  gross numeric(16,2) not null default 0,
  deductions numeric(16,2) not null default 0,
  net numeric(16,2) not null default 0,
  employer_cost numeric(16,2) not null default 0,
  created_by uuid default auth.uid() references public.profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pay_runs_do_not_overlap exclude using gist (pay_group with =, currency with =,
    daterange(period_start, period_end, '[]') with &&) where (status <> 'void'),
  constraint pay_runs_end_not_before_start check (period_end >= period_start),
  constraint pay_runs_void_has_reason check (status <> 'void' or void_reason is not null)
);
comment on column public.pay_runs.lrd_per_usd is 'Derived, unless it is given: the rate in force on the last day';
comment on column public.pay_runs.rate_date is 'Derived: the day from which the rate is in force';
create index pay_runs_period_idx on public.pay_runs (period_end desc, pay_group, currency);
create index pay_runs_calculated_by_idx on public.pay_runs (calculated_by) where calculated_by is not null;
create index pay_runs_reviewed_by_idx on public.pay_runs (reviewed_by) where reviewed_by is not null;
create index pay_runs_approved_by_idx on public.pay_runs (approved_by) where approved_by is not null;
create index pay_runs_locked_by_idx on public.pay_runs (locked_by) where locked_by is not null;
create index pay_runs_voided_by_idx on public.pay_runs (voided_by) where voided_by is not null;
create index pay_runs_created_by_idx on public.pay_runs (created_by);
alter publication supabase_realtime add table public.pay_runs;
-- Triggers, in the order in which they fire:
create trigger c_locked_truncate before truncate on public.pay_runs
  for each statement execute function private.refuse_truncate_of_locked_runs();
create trigger b_author before insert or update on public.pay_runs for each row execute function private.stamp_author();
create trigger c_rates before update of status on public.pay_runs
  for each row when (new.status = 'locked' and old.status is distinct from 'locked')
  execute function private.refuse_changed_rates();
create trigger c_rules before delete on public.pay_runs for each row execute function private.check_pay_run();
create trigger c_rules_of_changes before update on public.pay_runs
  for each row when (not (old.status = 'paid' and new.status = 'locked')) execute function private.check_pay_run();
create trigger c_rules_of_new before insert on public.pay_runs
  for each row execute function private.check_new_pay_run();
create trigger c_rules_of_reopened before update on public.pay_runs
  for each row when (old.status = 'paid' and new.status = 'locked') execute function private.check_reopened_run();
create trigger c_void_before_payment before update of status on public.pay_runs
  for each row when (new.status = 'void' and old.status is distinct from 'void')
  execute function private.refuse_void_after_payment();
create trigger d_exchange_rate before insert or update of lrd_per_usd on public.pay_runs
  for each row execute function private.check_exchange_rate();
create trigger d_touch before update on public.pay_runs for each row execute function private.touch();
create trigger y_books after update on public.pay_runs
  for each row when ( coalesce(old.locked_at, new.locked_at) is not null
      and (old.locked_at, old.period_end, old.currency) is distinct from (new.locked_at, new.period_end, new.currency))
  execute function private.keep_closed_books('period_end');
create trigger y_books_of_deleted after delete on public.pay_runs
  for each row when (old.locked_at is not null) execute function private.keep_closed_books('period_end', 'voided_at');
-- A run is booked on its last day once it is locked, and booked back on the day of voiding.
create trigger y_books_of_new after insert on public.pay_runs
  for each row when (new.locked_at is not null) execute function private.keep_closed_books('period_end', 'voided_at');
create trigger y_books_of_voided after update on public.pay_runs
  for each row when (new.locked_at is not null and old.voided_at is distinct from new.voided_at)
  execute function private.keep_closed_books('voided_at');
create trigger z_makes_payments after update of status on public.pay_runs
  for each row when (new.status = 'locked' and old.status is distinct from 'locked')
  execute function private.pay_locked_run();
select private.keep_history_of('public.pay_runs');
alter table public.pay_runs enable row level security;
grant
  select, insert (id, pay_group, currency, period_start, period_end, lrd_per_usd), update (lrd_per_usd)
  on public.pay_runs to authenticated;
create policy "Admins and finance read pay runs" on public.pay_runs
  for select to authenticated using ((select private.may_pay()));
create policy "Admins and finance begin pay runs" on public.pay_runs
  for insert to authenticated with check ((select private.may_pay()));
create policy "Admins and finance set the rate of exchange of a run" on public.pay_runs
  for update to authenticated using ((select private.may_pay())) with check ((select private.may_pay()));

-- Nothing of a run changes once it is locked, also when it is voided later, so its sums are written once.
create table private.pay_run_sums (
  pay_run_id uuid primary key references public.pay_runs on delete cascade,
  gross numeric not null,
  taxable numeric not null,
  employer_cost numeric not null,
  net numeric not null,
  income_tax numeric, -- Of lines, as they are stored: negative. Null without a line.
  nasscorp numeric,
  staff_advances numeric,
  other_deductions numeric
);
alter table private.pay_run_sums enable row level security;

-- Payslips of these runs whose hours may still change: the person has a timesheet in the run's period that another run,
-- or none, has locked. Or the account is deleted. The margin reads their hours.
create table private.payslips_apart (
  payslip_id uuid primary key references public.payslips on delete cascade,
  pay_run_id uuid not null references public.pay_runs on delete cascade
);
create index payslips_apart_pay_run_id_idx on private.payslips_apart (pay_run_id);
alter table private.payslips_apart enable row level security;

create table private.settled_runs (
  pay_run_id uuid primary key references public.pay_runs on delete cascade,
  is_summed boolean not null default false,
  -- How many payslips were apart when it was summed. With another number now, the sums don't count.
  apart integer not null default 0
);
alter table private.settled_runs enable row level security;

create table private.summed_pay_runs (pay_run_id uuid primary key references public.pay_runs on delete cascade);
alter table private.summed_pay_runs enable row level security;

-- Of locked runs, without the payslips that are apart.
create table private.wage_sums (
  pay_run_id uuid not null references public.pay_runs on delete cascade,
  site_id uuid,
  month date not null,
  wages numeric not null,
  employer numeric not null,
  minutes bigint not null
);
create index wage_sums_pay_run_id_idx on private.wage_sums (pay_run_id);
alter table private.wage_sums enable row level security;

-- ── Functions ─────────────────────────────────────────────────────────

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
  select coalesce(new.lrd_per_usd, r.rate), case when new.lrd_per_usd is null then r.effective_from
    else new.period_end end
  into new.lrd_per_usd, new.rate_date
  from public.pay_rates r where r.kind = 'lrd_per_usd'
  order by r.effective_from <= new.period_end desc,
    case when r.effective_from <= new.period_end then new.period_end - r.effective_from
      else r.effective_from - new.period_end end
  limit 1;
  return new;
end
$$;

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

-- A run that was paid has something to pay again.
create function private.check_reopened_run() returns trigger
language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - array['status', 'paid_at', 'updated_at'] <> to_jsonb(old) - array['status', 'paid_at',
      'updated_at']
    or new.paid_at is not null
    or not exists (select from public.payments p where p.pay_run_id = new.id and p.status = 'to_pay')
  then
    raise exception 'A paid run has nothing to pay.' using errcode = 'PT409';
  end if;
  return new;
end
$$;

-- The run, locked until the transaction ends, if its status is one of these.
create function private.run_to_change(p_id uuid, variadic p_statuses text[]) returns public.pay_runs
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs;
begin
  perform private.require_pay_role();
  select * into run from public.pay_runs r where r.id = p_id for update;
  if not found then
    raise exception 'This pay run no longer exists.' using errcode = 'PT404';
  end if;
  if run.status <> all (p_statuses) then
    raise exception 'This pay run is %.', replace(run.status, '_', ' ') using errcode = 'PT409';
  end if;
  return run;
end
$$;

-- Approves what was calculated. Who approves is not who calculated. Approving again changes nothing.
create function public.approve_pay_run(id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs := private.run_to_change(approve_pay_run.id, 'calculated', 'in_review', 'approved');
begin
  if run.calculated_by is not distinct from auth.uid() then
    raise exception 'Someone else must approve the run: you calculated it.' using errcode = 'insufficient_privilege';
  end if;
  if run.status <> 'approved' then
    update public.pay_runs r set status = 'approved', approved_by = auth.uid(), approved_at = now() where r.id = run.id;
  end if;
end
$$;
grant execute on function public.approve_pay_run to authenticated, service_role;

-- Payroll records beside the run are findings: they can be added after the calculation.
create function private.run_problems(p_run pay_runs, p_lines private.pay_line[]) returns jsonb
language sql stable security definer set search_path = '' as $function$
  with people as materialized (
    select distinct s.id, s.user_id, s.full_name
    from private.run_pieces(p_run.pay_group, p_run.currency, p_run.period_start, p_run.period_end) p
    join public.staff s on s.id = p.staff_id
  ), found as (
    select 'hours_not_approved' as code, p.id as staff_id, p.full_name as name,
      format('Hours of %s to %s are not approved: no hour of them is paid now.', to_char(t.period_start, 'Mon FMDD'),
        to_char(t.period_end, 'Mon FMDD')) as text
    from people p join public.timesheets t on t.user_id = p.user_id
    where t.status in ('open', 'submitted') and t.period_start <= p_run.period_end
      and t.period_end >= p_run.period_start
    union all
    select 'no_account', p.id, p.full_name, 'The staff record has no user account, so no hours belong to it.'
    from people p where p.user_id is null
    union all
    select 'other_currency', p.id, p.full_name, format('%s is in %s, so this run leaves it out.', i.name, i.currency)
    from people p join public.pay_items i on i.staff_id = p.id
    where i.currency <> p_run.currency and i.effective_from <= p_run.period_end
      and coalesce(i.effective_to, p_run.period_end) >= p_run.period_start
    union all
    select 'adjustment_waits', p.id, p.full_name,
      format('%s of %s is taken, as far as the pay allows. The rest waits for the next run.',
      private.money_text(abs(coalesce(l.amount, 0)), p_run.currency), private.money_text(abs(c.amount), p_run.currency))
    from people p join public.pay_adjustments a on a.staff_id = p.id or a.staff_id is null and a.user_id = p.user_id
    cross join lateral (
      select coalesce(a.converted_amount, a.amount) as amount, coalesce(a.converted_currency, a.currency) as currency
    ) c
    left join unnest(p_lines) l on l.source ->> 'table' = 'pay_adjustments' and l.source ->> 'id' = a.id::text
    where a.status = 'approved' and a.payslip_line_id is null and c.currency = p_run.currency and c.amount <> 0
      and l.amount is distinct from c.amount
    union all
    select 'adjustment_currency', p.id, p.full_name,
      format('%s waits for a run in %s. Convert it, or leave it for that run.',
        private.money_text(a.amount, a.currency), a.currency)
    from people p join public.pay_adjustments a on a.staff_id = p.id or a.staff_id is null and a.user_id = p.user_id
    where a.status = 'approved' and a.payslip_line_id is null and a.amount <> 0
      and coalesce(a.converted_currency, a.currency) <> p_run.currency
    union all
    select 'debt_currency', p.id, p.full_name, format(
      '%s of %s is owed in %s, so this run takes nothing. Enter the repayment by hand, or leave it for a run in %s.',
      private.money_text(b.balance, l.currency), case l.kind when 'advance' then 'an advance' when 'loan' then 'a loan'
        when 'uniform' then 'a uniform' else 'a debt' end, l.currency, l.currency)
    from people p join public.staff_ledger l on l.staff_id = p.id and l.entry = 'issue' and l.currency <> p_run.currency
      and l.repay_from <= p_run.period_end
    cross join lateral private.ledger_balance(l.id) b (balance)
    where b.balance > 0
  )
  select coalesce(jsonb_agg(jsonb_build_object('code', f.code, 'staff_id', f.staff_id, 'name', f.name, 'text', f.text)
    order by f.code, f.name, f.staff_id), '[]')
  from found f;
$function$;

-- Computes every payslip of the run from the approved hours and today's records. Payslips that stay the same are not
-- written again. @returns how many there are
create function public.calculate_pay_run(id uuid) returns integer
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  run public.pay_runs := private.run_to_change(calculate_pay_run.id, 'draft', 'calculated', 'in_review');
  lines private.pay_line[];
  changed uuid[];
begin
  lines := array(select l from private.earning_lines(run.pay_group, run.currency, run.period_start, run.period_end) l);
  lines := lines || array(select l from private.adjustment_lines(run, lines) l);
  lines := lines || array(select l from private.statutory_lines(run, lines) l);
  lines := lines || array(select l from private.tax_back_lines(run, lines) l);
  lines := lines || array(select l from private.standing_lines(run, lines) l);
  lines := lines || array(select l from private.repayment_lines(run, lines) l);

  delete from public.payslips s where s.pay_run_id = run.id
    and s.staff_id not in (select l.staff_id from unnest(lines) l);
  with sums as (
    select l.staff_id, sum(l.amount) as net, sum(l.amount) filter (where l.place < 1000) as gross,
      greatest(0, coalesce(sum(l.amount) filter (where l.place < 1000 and l.taxable), 0)) as taxable
    from unnest(lines) l group by l.staff_id
  ), hours as (
    select h.* from private.hours_fingerprints(
      array(select p.user_id from public.staff p join sums s on s.staff_id = p.id), run.period_start, run.period_end) h
  ), fresh as (
    select s.staff_id, p.user_id, coalesce(s.gross, 0) as gross, s.taxable, s.gross - s.net as deductions, s.net,
      round(s.gross * coalesce(private.pay_rate('nasscorp_employer', run.period_end), 0), 2) as employer_cost,
      coalesce(h.hours_key, 0) as hours_key
    from sums s join public.staff p on p.id = s.staff_id left join hours h on h.user_id = p.user_id
  )
  insert into public.payslips as o
    (pay_run_id, staff_id, user_id, currency, gross, taxable, deductions, net, employer_cost, hours_key)
  select run.id, f.staff_id, f.user_id, run.currency, f.gross, f.taxable, f.deductions, f.net, f.employer_cost,
    f.hours_key
  from fresh f
  where not exists (
    select from public.payslips s where s.pay_run_id = run.id and s.staff_id = f.staff_id
      and (s.user_id, s.gross, s.taxable, s.deductions, s.net, s.employer_cost, s.hours_key)
        is not distinct from (f.user_id, f.gross, f.taxable, f.deductions, f.net, f.employer_cost, f.hours_key)
  )
  on conflict on constraint payslips_one_per_person do update set user_id = excluded.user_id, gross = excluded.gross,
    taxable = excluded.taxable, deductions = excluded.deductions, net = excluded.net,
    employer_cost = excluded.employer_cost, hours_key = excluded.hours_key;

  with fresh as (
    select l.staff_id, md5(string_agg(concat_ws('|', l.kind, l.label, l.quantity::numeric(14, 4), l.unit,
      l.rate::numeric(20, 6), l.amount::numeric(14, 2), l.taxable, l.source, l.explanation), ';'
        order by l.place, l.label, l.rate, l.amount)) as content
    from unnest(lines) l group by l.staff_id
  ), stored as (
    select s.id, s.staff_id,
      (select md5(string_agg(concat_ws('|', l.kind, l.label, l.quantity, l.unit, l.rate, l.amount,
      l.taxable, l.source, l.explanation), ';' order by l.position)) from public.payslip_lines l
        where l.payslip_id = s.id) as content
    from public.payslips s where s.pay_run_id = run.id
  )
  select array_agg(s.id) into changed
  from stored s join fresh f on f.staff_id = s.staff_id where f.content is distinct from s.content;
  delete from public.payslip_lines l where l.payslip_id = any (changed);
  insert into public.payslip_lines
    (payslip_id, position, kind, label, quantity, unit, rate, amount, taxable, source, explanation)
  select s.id, row_number() over (partition by s.id
    order by l.place, l.label, l.rate, l.amount), l.kind, left(l.label, 200), l.quantity,
    l.unit, l.rate, l.amount, l.taxable, l.source, l.explanation
  from unnest(lines) l join public.payslips s on s.pay_run_id = run.id and s.staff_id = l.staff_id
  where s.id = any (changed);

  update public.pay_runs r set status = 'calculated', calculated_by = auth.uid(), calculated_at = now(),
    reviewed_by = null, reviewed_at = null, problems = private.run_problems(run, lines),
    people = t.people, gross = t.gross, deductions = t.deductions, net = t.net, employer_cost = t.employer_cost
  from (
    select count(*) as people, coalesce(sum(s.gross), 0) as gross, coalesce(sum(s.deductions), 0) as deductions,
      coalesce(sum(s.net), 0) as net, coalesce(sum(s.employer_cost), 0) as employer_cost
    from public.payslips s where s.pay_run_id = run.id
  ) t
  where r.id = run.id;
  return (select count(*)::integer from public.payslips s where s.pay_run_id = run.id);
end
$$;
grant execute on function public.calculate_pay_run to authenticated, service_role;

-- Begins a run for the period of the group that contains the day. @returns its id; the one that exists, if there is one
create function public.create_pay_run(p_pay_group text, p_currency text, p_day date) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  period daterange;
  run_id uuid;
begin
  perform private.require_pay_role();
  perform private.require_day(p_day, 'day');
  if p_pay_group is null or p_pay_group not in ('weekly', 'bi-weekly', 'monthly')
    or p_currency is null or p_currency not in ('USD', 'LRD')
  then
    raise exception 'Choose a pay group, and USD or LRD.' using errcode = 'invalid_parameter_value';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('create_pay_run', 0));
  period := private.pay_period(p_pay_group, p_day);
  select r.id into run_id from public.pay_runs r
  where r.pay_group = p_pay_group and r.currency = p_currency and r.period_start = lower(period) and r.status <> 'void';
  if run_id is null then
    insert into public.pay_runs (pay_group, currency, period_start, period_end)
    values (p_pay_group, p_currency, lower(period), upper(period) - 1) returning id into run_id;
  end if;
  return run_id;
end
$$;
grant execute on function public.create_pay_run to authenticated, service_role;

-- What stops a run from being locked, apart from hours and corrections that have changed.
create function private.refuse_unlockable(p_run public.pay_runs) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  names text[];
begin
  names := array(select distinct b.full_name from private.payroll_beside_run(p_run) b order by 1);
  if cardinality(names) > 0 then
    raise exception '% of this run already % a payroll record of the period: %. Cancel or delete these records under '
      'Payroll, or void this run.',
      case cardinality(names) when 1 then '1 person' else cardinality(names) || ' people' end,
      case cardinality(names) when 1 then 'has' else 'have' end, private.names_text(names) using errcode = 'PT409';
  end if;
  -- Another run of the month was calculated, changed or voided since.
  names := array(
    select p.full_name
    from public.payslips s
    join public.staff p on p.id = s.staff_id
    left join private.taxed_in_other_runs(p_run) o on o.staff_id = s.staff_id
    cross join lateral private.month_tax(s.taxable, p_run.currency, p_run.lrd_per_usd, p_run.period_end, p.tax_resident,
      coalesce(o.taxable, 0), coalesce(o.withheld, 0), p.tin is not null) t
    where s.pay_run_id = p_run.id and t.amount <> private.tax_of_payslip(s.id)
    order by 1);
  if cardinality(names) > 0 then
    raise exception 'The tax of the month has changed since the calculation, by another pay run, a tax number or a '
      'new rate: %. Return the run and calculate it again.',
      private.names_text(names) using errcode = 'PT409';
  end if;
end
$$;

-- Locks an approved run. Locking again changes nothing. Refuses if approved hours or corrections have changed since the
-- calculation.
create function public.lock_pay_run(id uuid) returns void
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $function$
declare
  run public.pay_runs := private.run_to_change(lock_pay_run.id, 'approved', 'locked', 'paid');
  people uuid[];
  other text;
begin
  if run.status <> 'approved' then
    return;
  end if;
  people := array(select s.user_id from public.payslips s where s.pay_run_id = run.id and s.user_id is not null);
  -- Nobody changes these hours between here and the end.
  perform from public.timesheets t
  where t.user_id = any (people) and t.period_start <= run.period_end and t.period_end >= run.period_start
  order by t.id for no key update;
  select string_agg(c.full_name, ', ' order by c.full_name) into other from (
    select p.full_name from public.payslips s
    join public.staff p on p.id = s.staff_id
    left join private.hours_fingerprints(people, run.period_start, run.period_end) h on h.user_id = s.user_id
    where s.pay_run_id = run.id and s.hours_key <> coalesce(h.hours_key, 0)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Hours have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  -- Nor these corrections, which another run may have paid, or somebody decided otherwise.
  perform from public.pay_adjustments a
  where a.id in (select (l.source ->> 'id')::uuid from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    where s.pay_run_id = run.id and l.source ->> 'table' = 'pay_adjustments')
  order by a.id for no key update;
  select string_agg(c.full_name, ', ' order by c.full_name) into other from (
    select distinct p.full_name
    from public.payslip_lines l
    join public.payslips s on s.id = l.payslip_id
    join public.staff p on p.id = s.staff_id
    left join public.pay_adjustments a on a.id = (l.source ->> 'id')::uuid
    where s.pay_run_id = run.id and l.source ->> 'table' = 'pay_adjustments'
      and ((a.status, coalesce(a.converted_amount, a.amount), coalesce(a.converted_currency, a.currency))
          is distinct from ('approved', coalesce((l.source ->> 'of')::numeric, l.amount), s.currency)
        or a.payslip_line_id is not null)
    order by 1 limit 5
  ) c;
  if other is not null then
    raise exception 'Corrections have changed since the calculation: %. Return the run and calculate it again.', other
      using errcode = 'PT409';
  end if;

  perform private.refuse_unlockable(run);
  perform private.write_payroll(run);
  insert into public.staff_ledger (staff_id, entry, kind, loan_id, currency, amount, payslip_line_id, day)
  select s.staff_id, 'repayment', l.kind, (l.source ->> 'id')::uuid, run.currency, -l.amount, l.id, run.period_end
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.kind in ('advance', 'loan', 'uniform', 'other') order by l.source ->> 'id';
  perform private.split_adjustments(run);
  update public.pay_adjustments a set payslip_line_id = l.id
  from public.payslip_lines l join public.payslips s on s.id = l.payslip_id
  where s.pay_run_id = run.id and l.source ->> 'table' = 'pay_adjustments' and a.id = (l.source ->> 'id')::uuid
    and a.payslip_line_id is null;
  update public.timesheets t set status = 'locked', locked_at = now(), pay_run_id = run.id
  where t.user_id = any (people) and t.status = 'approved'
    and t.period_start <= run.period_end and t.period_end >= run.period_start;
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Your payslip for ' || private.period_text(run.period_start, run.period_end),
    format('Net pay: %s.', private.money_text(s.net, s.currency)), '/staff/payslips?open=' || s.payroll_id,
      'payslip:' || s.id
  from public.payslips s where s.pay_run_id = run.id and s.user_id is not null on conflict (dedupe_key) do nothing;
  update public.pay_runs r set status = 'locked', locked_by = auth.uid(), locked_at = now() where r.id = run.id;
end
$function$;
grant execute on function public.lock_pay_run to authenticated, service_role;

-- The run before this one: of the same group and currency, locked or paid.
create function private.run_before(p_run public.pay_runs) returns public.pay_runs
language sql stable security definer set search_path = '' as $$
  select r from public.pay_runs r
  where r.pay_group = p_run.pay_group and r.currency = p_run.currency and r.period_end < p_run.period_start
    and r.status in ('locked', 'paid')
  order by r.period_end desc limit 1;
$$;

-- Everybody whose net pay differs from the run before, the largest difference first. change is new, gone, more or less;
-- before and after are null where there is no payslip.
create function public.pay_run_changes(id uuid)
returns table ( staff_id uuid, full_name text, change text, net_before numeric, net_after numeric, difference numeric )
language plpgsql stable security definer set search_path = '' as $$
declare
  run public.pay_runs;
  previous public.pay_runs;
begin
  perform private.require_pay_role();
  select * into run from public.pay_runs r where r.id = pay_run_changes.id;
  previous := private.run_before(run);
  return query
  select p.id, p.full_name, case when o.id is null then 'new' when n.id is null then 'gone'
      when n.net > o.net then 'more' else 'less' end,
    o.net, n.net, coalesce(n.net, 0) - coalesce(o.net, 0)
  from (select s.* from public.payslips s where s.pay_run_id = run.id) n
  full join (select s.* from public.payslips s where s.pay_run_id = previous.id) o on o.staff_id = n.staff_id
  join public.staff p on p.id = coalesce(n.staff_id, o.staff_id)
  where run.id is not null and n.net is distinct from o.net
  order by abs(coalesce(n.net, 0) - coalesce(o.net, 0)) desc, p.full_name, p.id;
end
$$;
comment on function public.pay_run_changes is 'Nullable: net_before, net_after';
grant execute on function public.pay_run_changes to authenticated, service_role;

-- What is odd about single payslips: under_minimum (net below the minimum wage of the days employed),
-- pay_without_hours, hours_without_pay (also of people who are not in the run: staff_id is null without a staff
-- record). amount is the net pay, or the figure it is below in limit_amount; minutes are approved ones.
create function public.pay_run_findings(id uuid)
returns table (
  code text, staff_id uuid, user_id uuid, full_name text, amount numeric, limit_amount numeric, minutes integer,
  text text
)
language plpgsql stable security definer set search_path = '' as $$
declare
  run public.pay_runs;
  exchange numeric;
begin
  perform private.require_pay_role();
  select * into run from public.pay_runs r where r.id = pay_run_findings.id;
  if not found then
    return;
  end if;
  exchange := case run.currency when 'USD' then 1 else run.lrd_per_usd end;
  return query
  with hours as materialized (
    select s.user_id, sum(s.minutes)::integer as minutes
    from public.time_segments s join public.timesheets t on t.id = s.timesheet_id
    where s.day between run.period_start and run.period_end and t.status in ('approved', 'locked')
      and s.class not in ('unpaid', 'leave_unpaid')
    group by s.user_id
  ), employed as materialized (
    select b.staff_id, bool_or((b.payment_frequency, b.currency) = (run.pay_group, run.currency)) as is_own
    from private.basis_days(run.period_start, run.period_end) b
    group by b.staff_id
  ), lowest_rates as materialized (
    -- The minimum wage of an hour: a day has eight.
    select d::date as day, private.pay_rate('minimum_wage', d::date) * exchange / 8 as hourly
    from generate_series(run.period_start, run.period_end, interval '1 day') d
  ), pieces as materialized (
    select p.* from private.run_pieces(run.pay_group, run.currency, run.period_start, run.period_end,
      array(select s.staff_id from public.payslips s where s.pay_run_id = run.id)) p
  ), shares as materialized (
    -- A month's wage has the hours of six days a week in an average month, not those of the longest.
    select p.staff_id, sum(r.hourly * 8 * 312 / private.periods_a_year(run.pay_group)
        / (run.period_end - run.period_start + 1)) as share, avg(r.hourly) as hourly
    from pieces p join lowest_rates r on r.day between p.first and p.last
    group by p.staff_id
  ), due as materialized (
    select p.staff_id, sum(s.minutes)::integer as minutes,
      coalesce(sum(s.minutes * r.hourly / 60) filter (where s.class not like 'overtime%'), 0) as plain,
      sum(s.minutes * r.hourly / 60 * greatest(0, s.rate - case when s.class like 'overtime%' then 0
        else 1 end)) as extra
    from pieces p
    join public.time_segments s on s.user_id = p.user_id and s.day between p.first and p.hours_last
      and s.class not in ('unpaid', 'leave_unpaid')
    join public.timesheets t on t.id = s.timesheet_id and t.status in ('approved', 'locked')
    join lowest_rates r on r.day = s.day
    group by p.staff_id
  ), slips as materialized (
    select s.*, p.full_name, coalesce(h.minutes, 0) as worked, l.lines,
      case when d.minutes is null then l.salary else l.earned end as earned, coalesce(d.minutes, 0) as paid_minutes,
      round(case when d.minutes is null then case when l.salary > 0 then c.share end
        when l.salary > 0 then d.extra + least(d.plain, greatest(0, c.share - l.missing * c.hourly))
        else d.extra + d.plain end, 2) as lowest
    from public.payslips s
    join public.staff p on p.id = s.staff_id
    cross join lateral (
      select coalesce(sum(x.amount) filter (where x.kind = 'salary'), 0) as salary,
        coalesce(sum(x.amount), 0) as earned, count(*) as lines,
        coalesce(sum(x.quantity) filter (where x.kind in ('absence', 'leave_unpaid')), 0) as missing
      from public.payslip_lines x
      where x.payslip_id = s.id and x.kind in ('salary', 'regular', 'overtime_1', 'overtime_2', 'night', 'holiday',
        'leave_paid',
        'leave_unpaid', 'absence')
    ) l
    left join hours h on h.user_id = s.user_id
    left join due d on d.staff_id = s.staff_id
    left join shares c on c.staff_id = s.staff_id
    where s.pay_run_id = run.id
  )
  select 'payroll_exists', b.staff_id, null::uuid, b.full_name, b.net, null::numeric, 0,
    format('%s, %s, %s', private.period_text(b.first, b.last), b.status, private.money_text(b.net, b.currency))
  from private.payroll_beside_run(run) b
  union all
  -- Each line is rounded to the cent.
  select 'under_minimum', s.staff_id, s.user_id, s.full_name, s.earned, s.lowest, s.paid_minutes, ''
  from slips s where s.earned + 0.01 * (s.lines - 1) < s.lowest
  union all
  select 'pay_without_hours', s.staff_id, s.user_id, s.full_name, s.net, null, 0, ''
  from slips s where s.gross > 0 and s.worked = 0
  union all
  select 'hours_without_pay', p.id, h.user_id, coalesce(p.full_name, u.full_name, u.email), coalesce(l.net, 0), null,
    h.minutes, ''
  from hours h
  join public.profiles u on u.id = h.user_id
  left join public.staff p on p.user_id = h.user_id
  left join slips l on l.user_id = h.user_id
  left join employed e on e.staff_id = p.id
  -- Of this run, or of none.
  where h.minutes > 0 and coalesce(l.gross, 0) = 0 and coalesce(e.is_own, true) order by 1, 4, 2;
end
$$;
comment on function public.pay_run_findings is 'Nullable: staff_id, user_id, limit_amount';
grant execute on function public.pay_run_findings to authenticated, service_role;

-- Recomputes a locked run from today's records, as dated pay bases, and proposes what differs. Running it again
-- proposes nothing new: earlier proposals count, also rejected ones. @returns how many it proposed
create function public.propose_corrections(p_pay_run_id uuid) returns integer
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  run public.pay_runs := private.run_to_change(p_pay_run_id, 'locked', 'paid');
begin
  return private.propose_corrections_of(run);
end
$$;
grant execute on function public.propose_corrections to authenticated, service_role;

-- Takes an approval or a review back, so that the run can be calculated again.
create function public.return_pay_run(p_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs := private.run_to_change(p_id, 'in_review', 'approved');
begin
  update public.pay_runs r set status = 'calculated', reviewed_by = null, reviewed_at = null, approved_by = null,
    approved_at = null
  where r.id = run.id;
end
$$;
grant execute on function public.return_pay_run to authenticated, service_role;

-- Voids a run with a reason. Of a locked one: its payroll records are cancelled, repayments and corrections are owed
-- again, and its timesheets are approved ones.
create function public.void_pay_run(p_id uuid, p_reason text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs := private.run_to_change(p_id, 'draft', 'calculated', 'in_review', 'approved', 'locked');
  why text := nullif(btrim(p_reason), '');
  later public.pay_runs;
  -- Timesheets that no other run keeps locked, and the guards whose late events they don't contain.
  sheets uuid[];
  guards uuid[];
  ended uuid[];
begin
  if why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  if exists (
    select from public.payslips s join public.payroll r on r.id = s.payroll_id
    where s.pay_run_id = run.id and r.payment_status = 'paid'
  ) then
    raise exception 'Payments of this run have been made, so it can''t be voided. Correct it in the next run.'
      using errcode = 'PT409';
  end if;
  -- In one order, so that a run that pays them, and a caller who decides them, take turns with this.
  sheets := array(
    select t.id from public.timesheets t
    where t.pay_run_id = run.id and not exists (
      select from public.payslips s join public.pay_runs o on o.id = s.pay_run_id and o.status in ('locked', 'paid')
      where o.id <> run.id and s.user_id = t.user_id and t.period_start <= o.period_end
        and t.period_end >= o.period_start)
  );
  ended := array(
    select a.id from public.pay_adjustments a
    where a.kind = 'correction' and a.pay_run_id = run.id and a.status in ('to_decide', 'approved')
      or a.kind = 'late_event' and a.status = 'approved' and exists (
        select from public.timesheets t
        where t.id = any (sheets) and t.user_id = a.user_id and a.period_end between t.period_start and t.period_end)
    order by a.id for no key update
  );
  select r.* into later
  from public.pay_adjustments a
  join public.payslip_lines l on l.id = a.payslip_line_id
  join public.payslips s on s.id = l.payslip_id
  join public.pay_runs r on r.id = s.pay_run_id
  where a.id = any (ended) and r.id <> run.id order by r.status = 'paid' desc, r.period_end desc limit 1;
  if found then
    raise exception 'The pay run of % has paid corrections of this one. %',
      private.period_text(later.period_start, later.period_end),
      case later.status when 'paid' then 'Correct it in the next run.' else 'Void that run first.' end
        using errcode = 'PT409';
  end if;
  update public.pay_runs r set status = 'void', voided_by = auth.uid(), voided_at = now(), void_reason = why
  where r.id = run.id;
  if run.status <> 'locked' then
    return;
  end if;
  update public.payslips s set published_at = null where s.pay_run_id = run.id;
  update public.payroll r set payment_status = 'cancelled'
  where r.id in (select s.payroll_id from public.payslips s where s.pay_run_id = run.id);
  delete from public.staff_ledger l where l.payslip_line_id in (
    select x.id from public.payslip_lines x join public.payslips s on s.id = x.payslip_id where s.pay_run_id = run.id);
  update public.pay_adjustments a set payslip_line_id = null where a.payslip_line_id in (
    select x.id from public.payslip_lines x join public.payslips s on s.id = x.payslip_id where s.pay_run_id = run.id);
  -- The run that replaces this one is computed from the records, so it contains what these corrected.
  update public.pay_adjustments a set status = 'superseded', note = left(concat_ws(' ', a.note,
    'The pay run of these days was voided. The run that replaces it contains this.'), 1000)
  where a.id = any (ended) and a.status in ('to_decide', 'approved');
  -- Who is paid in two currencies has one timesheet: it stays locked by the other run.
  update public.timesheets t set pay_run_id = o.id
  from public.payslips s join public.pay_runs o on o.id = s.pay_run_id and o.status in ('locked', 'paid')
  where t.pay_run_id = run.id and s.user_id = t.user_id and t.period_start <= o.period_end
    and t.period_end >= o.period_start;
  update public.timesheets t set status = 'approved', locked_at = null, pay_run_id = null where t.pay_run_id = run.id;
  guards := array(select distinct t.user_id from private.late_hours h join public.timesheets t on t.id = h.timesheet_id
    where h.timesheet_id = any (sheets));
  perform private.remove_late_hours(sheets);
  perform private.compute_time(guards, run.period_start, run.period_end);
  delete from public.notices n
  where n.dedupe_key in (select 'payslip:' || s.id from public.payslips s where s.pay_run_id = run.id);
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select s.user_id, 'payslip', 'Payslip withdrawn: ' || private.period_text(run.period_start, run.period_end),
    'You get a corrected payslip.', '/staff/payslips', 'payslip withdrawn:' || s.id
  from public.payslips s where s.pay_run_id = run.id and s.user_id is not null on conflict (dedupe_key) do nothing;
end
$$;
grant execute on function public.void_pay_run to authenticated, service_role;

-- From payslips and their lines.
create function private.computed_run_sums(p_runs uuid[]) returns setof private.pay_run_sums
language sql stable security definer set search_path = '' as $$
  with slips as materialized (
    select s.id, s.pay_run_id, s.gross, s.taxable, s.employer_cost, s.net from public.payslips s
      where s.pay_run_id = any (p_runs)
  ), lines as (
    select s.pay_run_id, sum(l.amount) filter (where l.kind = 'income_tax') as income_tax,
      sum(l.amount) filter (where l.kind = 'nasscorp') as nasscorp,
      sum(l.amount) filter (where l.kind in ('advance', 'loan', 'uniform', 'other')) as staff_advances,
      sum(l.amount) filter (where l.kind = 'deduction') as other_deductions
    from slips s join public.payslip_lines l on l.payslip_id = s.id
    where l.kind in ('income_tax', 'nasscorp', 'deduction', 'advance', 'loan', 'uniform', 'other')
    group by s.pay_run_id
  )
  select s.pay_run_id, sum(s.gross), sum(s.taxable), sum(s.employer_cost), sum(s.net), l.income_tax, l.nasscorp,
    l.staff_advances,
    l.other_deductions
  from slips s left join lines l on l.pay_run_id = s.pay_run_id
  group by s.pay_run_id, l.income_tax, l.nasscorp, l.staff_advances, l.other_deductions;
$$;

-- A run is paid when nothing is left to pay. Payslips without anything to pay are paid with it.
create function private.finish_pay_run(p_run_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  if exists (select from public.payments p where p.pay_run_id = p_run_id and p.status in ('to_pay', 'in_file')) then
    return;
  end if;
  update public.payroll r set payment_status = 'paid', payment_date = coalesce(
    (select max(p.paid_on) from public.payments p where p.pay_run_id = p_run_id), private.company_date())
  where r.payment_status = 'pending' and r.net_amount = 0
    and r.id in (select s.payroll_id from public.payslips s where s.pay_run_id = p_run_id);
  update public.pay_runs r set status = 'paid', paid_at = now() where r.id = p_run_id and r.status = 'locked';
end
$$;

create function private.is_of_pay_run(p_payroll_id uuid) returns boolean
language sql stable security definer set search_path = ''
return exists (select from public.payslips s where s.payroll_id = p_payroll_id);
grant execute on function private.is_of_pay_run to authenticated, service_role;

-- Stored where they are. Only of runs that are or were locked, and of none without payslips.
create function private.run_sums(p_runs uuid[]) returns setof private.pay_run_sums
language plpgsql stable security definer set search_path = '' as $$
begin
  return query select s.* from private.pay_run_sums s where s.pay_run_id = any (p_runs);
  return query select c.* from private.computed_run_sums(array(
    select r from unnest(p_runs) r where not exists (select from private.pay_run_sums s where s.pay_run_id = r)
  )) c;
end
$$;

-- Timesheets that come to the period of a settled run later, or move into it. Those that were there when the run was
-- summed are locked by it, which only ends with the run, or their payslips are apart already.
create function private.set_payslips_apart(p_timesheets uuid[]) returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- A run is summed when nobody is here.
  perform pg_advisory_xact_lock_shared(hashtextextended('private.payslips_apart', 0));
  if not exists (
    select from private.settled_runs d join public.pay_runs r on r.id = d.pay_run_id
    where r.period_end >= (select min(t.period_start) from public.timesheets t where t.id = any (p_timesheets))
  ) then
    return;
  end if;
  insert into private.payslips_apart (payslip_id, pay_run_id)
  select s.id, s.pay_run_id
  from public.timesheets t
  join public.payslips s on s.user_id = t.user_id
  join public.pay_runs r on r.id = s.pay_run_id and r.period_start <= t.period_end and r.period_end >= t.period_start
  join private.settled_runs d on d.pay_run_id = r.id
  where t.id = any (p_timesheets) and not (t.status = 'locked' and t.pay_run_id is not distinct from r.id)
  on conflict do nothing;
end
$$;

-- Sums one run, the newest first, whose minutes are summed. Called with the lock of private.payslips_apart.
create function private.settle_run() returns void
language plpgsql security definer set search_path = '' as $$
declare
  run public.pay_runs;
begin
  -- From now on what comes later is noted. Timesheets that were written without it are waited for by the next call.
  insert into private.settled_runs (pay_run_id)
  select r.id from public.pay_runs r
  where r.status in ('locked', 'paid') and not exists (select from private.settled_runs d where d.pay_run_id = r.id)
  on conflict do nothing;
  if found then
    return;
  end if;
  select r.* into run
  from private.settled_runs d
  join public.pay_runs r on r.id = d.pay_run_id
  join private.summed_pay_runs m on m.pay_run_id = r.id
  where r.status in ('locked', 'paid') and (
    not d.is_summed or d.apart <> (select count(*) from private.payslips_apart a where a.pay_run_id = r.id)
  )
  order by r.period_end desc, r.id limit 1;
  if run.id is null then
    return;
  end if;
  delete from private.payslips_apart a where a.pay_run_id = run.id;
  delete from private.wage_sums w where w.pay_run_id = run.id;
  insert into private.payslips_apart (payslip_id, pay_run_id)
  select s.id, run.id from public.payslips s
  where s.pay_run_id = run.id and exists (
    select from public.timesheets t
    where t.user_id = s.user_id and t.period_start <= run.period_end and t.period_end >= run.period_start
      and not (t.status = 'locked' and t.pay_run_id is not distinct from run.id)
  );
  insert into private.wage_sums (pay_run_id, site_id, month, wages, employer, minutes)
  select w.pay_run_id, w.site_id, w.month, w.wages, w.employer, w.minutes
  from private.wages_of_payslips(array(
    select s.id from public.payslips s
    where s.pay_run_id = run.id and not exists (select from private.payslips_apart a where a.payslip_id = s.id)
  )) w;
  update private.settled_runs d set is_summed = true,
    apart = (select count(*) from private.payslips_apart a where a.pay_run_id = run.id)
  where d.pay_run_id = run.id;
end
$$;

-- As before, but with the sums of settled runs, and not summed further; only payslips that are apart are read by the
-- hour.
create function private.wages_by_site(p_from date, p_to date)
returns table (
  site_id uuid, month date, currency text, wages numeric, employer numeric, minutes bigint, lrd_per_usd numeric
)
language sql stable as $$
  with runs as materialized (
    select r.id, r.currency, r.lrd_per_usd, coalesce(
      d.is_summed and d.apart = (select count(*) from private.payslips_apart a
        where a.pay_run_id = r.id), false) as is_settled
    from public.pay_runs r left join private.settled_runs d on d.pay_run_id = r.id
    where r.status in ('locked', 'paid') and r.period_end >= p_from and r.period_start <= p_to
  ), sums as (
    select w.pay_run_id, w.site_id, w.month, w.wages, w.employer, w.minutes
    from runs r join private.wage_sums w on w.pay_run_id = r.id where r.is_settled
    union all
    select w.* from private.wages_of_payslips(array(
      select s.id from runs r join public.payslips s on s.pay_run_id = r.id where not r.is_settled
      union all
      select a.payslip_id from runs r join private.payslips_apart a on a.pay_run_id = r.id where r.is_settled
    )) w
  )
  select s.site_id, s.month, r.currency, s.wages, s.employer, s.minutes, r.lrd_per_usd
  from sums s join runs r on r.id = s.pay_run_id where s.month between p_from and p_to;
$$;
