-- What issued invoices and locked runs add to the margin, by site and month, stored once it can't change.

-- Of issued invoices, without credited lines. A credit note deletes those of its invoice.
create table private.billed_sums (
  invoice_id uuid not null references public.invoices (id) on delete cascade,
  -- These are the invoice's, which stays as it was issued.
  client_id uuid not null,
  currency text not null,
  issued_on date not null,
  period_start date not null,
  period_end date not null,
  site_id uuid,
  month date not null,
  amount numeric not null,
  minutes bigint not null
);
create index billed_sums_invoice_id_idx on private.billed_sums (invoice_id);
create table private.settled_invoices (invoice_id uuid primary key references public.invoices (id) on delete cascade);

-- Of locked runs, without the payslips that are apart.
create table private.wage_sums (
  pay_run_id uuid not null references public.pay_runs (id) on delete cascade,
  site_id uuid,
  month date not null,
  wages numeric not null,
  employer numeric not null,
  minutes bigint not null
);
create index wage_sums_pay_run_id_idx on private.wage_sums (pay_run_id);
create table private.settled_runs (
  pay_run_id uuid primary key references public.pay_runs (id) on delete cascade,
  is_summed boolean not null default false,
  -- How many payslips were apart when it was summed. With another number now, the sums don't count.
  apart integer not null default 0
);
-- Payslips of these runs whose hours may still change: the person has a timesheet in the run's period that another run, or none,
-- has locked. Or the account is deleted. The margin reads their hours.
create table private.payslips_apart (
  payslip_id uuid primary key references public.payslips (id) on delete cascade,
  pay_run_id uuid not null references public.pay_runs (id) on delete cascade
);
create index payslips_apart_pay_run_id_idx on private.payslips_apart (pay_run_id);

alter table private.billed_sums enable row level security;
alter table private.settled_invoices enable row level security;
alter table private.wage_sums enable row level security;
alter table private.settled_runs enable row level security;
alter table private.payslips_apart enable row level security;
revoke all on private.billed_sums, private.settled_invoices, private.wage_sums, private.settled_runs, private.payslips_apart
  from public, anon, authenticated, service_role;

-- A line by hours is shared over months by its minutes, any other belongs to its month or to that in which the invoice's
-- period ends. Credited lines are left out. Tax is not income.
create function private.billed_by_invoice(p_invoices uuid[])
returns table (invoice_id uuid, site_id uuid, month date, amount numeric, minutes bigint)
language sql stable security definer set search_path = '' as $$
  with lines as materialized (
    select l.id, l.invoice_id, l.site_id, l.amount, d.invoice_id is not null as is_summed,
      coalesce(l.month, date_trunc('month', i.period_end)::date) as month
    from public.invoices i
    join public.invoice_lines l on l.invoice_id = i.id
    left join private.summed_invoices d on d.invoice_id = i.id
    where i.id = any (p_invoices) and l.credited_at is null
  ), months as (
    select m.invoice_line_id, m.month, m.minutes
    from lines l join private.billed_minutes m on m.invoice_line_id = l.id where l.is_summed
    union all
    select b.invoice_line_id, date_trunc('month', lower(b.span) at time zone z.time_zone)::date, sum(b.minutes)::bigint
    from lines l join public.billed_time b on b.invoice_line_id = l.id cross join private.settings z
    where not l.is_summed and b.freed_at is null
    group by 1, 2
  ), spans as (
    select m.*, sum(m.minutes) over (partition by m.invoice_line_id) as of_line from months m
  )
  select l.invoice_id, l.site_id, coalesce(s.month, l.month), sum(l.amount * coalesce(s.minutes / s.of_line, 1)),
    coalesce(sum(s.minutes), 0)::bigint
  from lines l left join spans s on s.invoice_line_id = l.id
  group by l.invoice_id, l.site_id, coalesce(s.month, l.month);
$$;

-- As before, but with the sums of settled invoices, and not summed further.
create or replace function private.billed_by_site(p_from date, p_to date)
returns table (site_id uuid, client_id uuid, month date, currency text, amount numeric, minutes bigint, lrd_per_usd numeric)
language sql stable as $$
  with sums as materialized (
    select b.site_id, b.client_id, b.month, b.currency, b.amount, b.minutes, b.issued_on
    from private.billed_sums b
    where b.month between p_from and p_to and b.period_end >= p_from and b.period_start <= p_to
    union all
    select b.site_id, i.client_id, b.month, i.currency, b.amount, b.minutes, i.issued_on
    from private.billed_by_invoice(array(
      select i.id from public.invoices i
      where i.status <> 'draft' and i.period_end >= p_from and i.period_start <= p_to
        and not exists (select from private.settled_invoices d where d.invoice_id = i.id)
    )) b
    join public.invoices i on i.id = b.invoice_id
    where b.month between p_from and p_to
  ), rates as materialized (
    select d.issued_on, private.pay_rate('lrd_per_usd', d.issued_on) as lrd_per_usd
    from (select distinct s.issued_on from sums s) d
  )
  select s.site_id, s.client_id, s.month, s.currency, s.amount, s.minutes, r.lrd_per_usd
  from sums s join rates r on r.issued_on = s.issued_on;
$$;

-- Each payslip is shared over the worked minutes of its period. Without any (an office) it belongs to no site and to the month in
-- which the period ends.
create function private.wages_of_payslips(p_payslips uuid[])
returns table (pay_run_id uuid, site_id uuid, month date, wages numeric, employer numeric, minutes bigint)
language sql stable security definer set search_path = '' as $$
  with slips as materialized (
    select s.id, s.user_id, s.gross, s.employer_cost, r.id as run, r.period_start, r.period_end,
      d.pay_run_id is not null as is_summed
    from public.payslips s
    join public.pay_runs r on r.id = s.pay_run_id
    left join private.summed_pay_runs d on d.pay_run_id = r.id
    where s.id = any (p_payslips)
  ), sheets as materialized (
    select s.id as slip, h.id, s.period_start, s.period_end
    from slips s
    -- Look-ups, here and below: the planner expects thousands where a few are apart.
    cross join lateral (
      select h.* from public.timesheets h
      where h.user_id = s.user_id and h.period_start <= s.period_end and h.period_end >= s.period_start
      offset 0
    ) h
    where not (s.is_summed and h.status = 'locked' and h.pay_run_id is not distinct from s.run)
  ), months as (
    select s.id, m.site_id, m.month, m.minutes
    from slips s
    cross join lateral (
      select m.site_id, m.month, m.minutes from private.paid_minutes m where m.payslip_id = s.id offset 0
    ) m
    where s.is_summed
    union all
    select h.slip, t.site_id, date_trunc('month', t.day)::date, sum(t.minutes)::bigint
    from sheets h
    cross join lateral (
      select t.site_id, t.day, t.minutes from public.time_segments t
      where t.timesheet_id = h.id and t.day between h.period_start and h.period_end
        and t.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
      offset 0
    ) t
    group by 1, 2, 3
  ), worked as (
    select m.id, m.site_id, m.month, sum(m.minutes) as minutes, sum(sum(m.minutes)) over (partition by m.id) as of_slip
    from months m group by 1, 2, 3
  )
  select s.run, w.site_id, coalesce(w.month, date_trunc('month', s.period_end)::date),
    sum(s.gross * coalesce(w.minutes / w.of_slip, 1)), sum(s.employer_cost * coalesce(w.minutes / w.of_slip, 1)),
    coalesce(sum(w.minutes), 0)::bigint
  -- The hours of a deleted account are nobody's.
  from slips s left join worked w on w.id = s.id and s.user_id is not null
  group by s.run, w.site_id, coalesce(w.month, date_trunc('month', s.period_end)::date);
$$;

-- As before, but with the sums of settled runs, and not summed further; only payslips that are apart are read by the hour.
create or replace function private.wages_by_site(p_from date, p_to date)
returns table (
  site_id uuid, month date, currency text, wages numeric, employer numeric, minutes bigint, lrd_per_usd numeric
)
language sql stable as $$
  with runs as materialized (
    select r.id, r.currency, r.lrd_per_usd, coalesce(
      d.is_summed and d.apart = (select count(*) from private.payslips_apart a where a.pay_run_id = r.id), false) as is_settled
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
  from sums s join runs r on r.id = s.pay_run_id
  where s.month between p_from and p_to;
$$;

-- Timesheets that come to the period of a settled run later, or move into it. Those that were there when the run was summed are
-- locked by it, which only ends with the run, or their payslips are apart already.
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

create function private.follow_new_timesheets() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.set_payslips_apart(array(select n.id from new_rows n));
  return null;
end
$$;
create trigger z_follow_new after insert on public.timesheets referencing new table as new_rows
  for each statement execute function private.follow_new_timesheets();

create function private.follow_moved_timesheet() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.set_payslips_apart(array[new.id]);
  return null;
end
$$;
create trigger z_follow_moved after update of user_id, period_start, period_end on public.timesheets for each row
  when ((old.user_id, old.period_start, old.period_end) is distinct from (new.user_id, new.period_start, new.period_end))
  execute function private.follow_moved_timesheet();

create function private.follow_payslip_of_nobody() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('private.payslips_apart', 0));
  insert into private.payslips_apart (payslip_id, pay_run_id)
  select new.id, d.pay_run_id from private.settled_runs d where d.pay_run_id = new.pay_run_id
  on conflict do nothing;
  return null;
end
$$;
create trigger z_follow_user after update of user_id on public.payslips for each row
  when (old.user_id is distinct from new.user_id) execute function private.follow_payslip_of_nobody();

-- A person who is paid in two currencies has one timesheet. When the run that locked it is voided, it is the other's, whose minutes
-- were summed without it.
create function private.forget_paid_minutes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('private.payslips_apart', 0));
  delete from private.summed_pay_runs d where d.pay_run_id = new.pay_run_id;
  delete from private.paid_minutes m where m.pay_run_id = new.pay_run_id;
  return null;
end
$$;
create trigger z_forget_paid_minutes after update of pay_run_id on public.timesheets for each row
  when (old.status = 'locked' and new.status = 'locked' and old.pay_run_id is distinct from new.pay_run_id)
  execute function private.forget_paid_minutes();

create function private.forget_billed_sums() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Waits for a sum of this invoice that is computed now.
  perform from public.invoices i where i.id = new.invoice_id for update;
  delete from private.settled_invoices d where d.invoice_id = new.invoice_id;
  delete from private.billed_sums b where b.invoice_id = new.invoice_id;
  return null;
end
$$;
create trigger z_forget_billed_sums after update of credited_at on public.invoice_lines for each row
  when (old.credited_at is distinct from new.credited_at) execute function private.forget_billed_sums();

-- As before, and the sums that are made of these minutes.
create or replace function private.forget_billed_minutes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.billed_minutes;
  delete from private.summed_invoices;
  delete from private.billed_sums;
  delete from private.settled_invoices;
  return null;
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

-- Sums some of the invoices whose minutes are summed, the newest first.
create function private.settle_invoices() returns void
language plpgsql security definer set search_path = '' as $$
declare
  chosen uuid[] := array(
    select i.id from public.invoices i join private.summed_invoices m on m.invoice_id = i.id
    where i.status <> 'draft' and not exists (select from private.settled_invoices d where d.invoice_id = i.id)
    order by i.period_end desc, i.id limit 500
    -- A credit note waits, a receipt doesn't.
    for key share of i skip locked
  );
begin
  insert into private.settled_invoices (invoice_id) select unnest(chosen);
  insert into private.billed_sums (invoice_id, client_id, currency, issued_on, period_start, period_end, site_id, month, amount,
    minutes)
  select i.id, i.client_id, i.currency, i.issued_on, i.period_start, i.period_end, b.site_id, b.month, b.amount, b.minutes
  from private.billed_by_invoice(chosen) b join public.invoices i on i.id = b.invoice_id;
end
$$;

alter function private.sum_for_margin() rename to sum_minutes_for_margin;
-- What the job does. Until it has run, the margin and the journal read what is not summed.
create function private.sum_for_margin() returns void
language plpgsql security definer set search_path = '' as $$
begin
  -- Before the lock, because a change of the zone writes timesheets.
  perform from private.settings s for share;
  -- Timesheets that are being written come first.
  if not pg_try_advisory_xact_lock(hashtextextended('private.payslips_apart', 0)) then
    return;
  end if;
  perform private.sum_minutes_for_margin();
  perform private.sum_locked_runs();
  perform private.settle_run();
  perform private.settle_invoices();
end
$$;

revoke all on all functions in schema private from public;
