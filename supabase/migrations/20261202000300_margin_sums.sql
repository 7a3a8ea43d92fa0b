-- What the margin adds up from hours that can't change any more, summed once: of locked runs and of issued invoices.

-- Worked minutes of payslips by site and month, from timesheets that their run has locked.
create table private.paid_minutes (
  pay_run_id uuid not null references public.pay_runs (id) on delete cascade,
  payslip_id uuid not null references public.payslips (id) on delete cascade,
  site_id uuid,
  month date not null,
  minutes bigint not null
);
create index paid_minutes_pay_run_id_idx on private.paid_minutes (pay_run_id);
create index paid_minutes_payslip_id_idx on private.paid_minutes (payslip_id);
create table private.summed_pay_runs (pay_run_id uuid primary key references public.pay_runs (id) on delete cascade);

-- Billed minutes of the lines of issued invoices by month. A credited line counts nowhere.
create table private.billed_minutes (
  invoice_line_id uuid not null references public.invoice_lines (id) on delete cascade,
  month date not null,
  minutes bigint not null,
  primary key (invoice_line_id, month)
);
create table private.summed_invoices (invoice_id uuid primary key references public.invoices (id) on delete cascade);

alter table private.paid_minutes enable row level security;
alter table private.summed_pay_runs enable row level security;
alter table private.billed_minutes enable row level security;
alter table private.summed_invoices enable row level security;
revoke all on private.paid_minutes, private.summed_pay_runs, private.billed_minutes, private.summed_invoices
  from public, anon, authenticated, service_role;

-- Until it has run, the margin reads the hours themselves.
create function private.sum_for_margin() returns void
language plpgsql security definer set search_path = '' as $$
declare
  run uuid := (
    select r.id from public.pay_runs r
    where r.status in ('locked', 'paid') and not exists (select from private.summed_pay_runs d where d.pay_run_id = r.id)
    order by r.period_end desc, r.id limit 1
  );
  invoices uuid[] := array(
    select i.id from public.invoices i
    where i.status <> 'draft' and not exists (select from private.summed_invoices d where d.invoice_id = i.id)
    order by i.period_end desc, i.id limit 500
  );
  -- Months begin at another time when the zone changes; that waits for this run.
  zone text := (select s.time_zone from private.settings s for share);
begin
  insert into private.summed_pay_runs (pay_run_id) select run where run is not null;
  insert into private.paid_minutes (pay_run_id, payslip_id, site_id, month, minutes)
  select run, s.id, t.site_id, date_trunc('month', t.day)::date, sum(t.minutes)
  from public.payslips s
  join public.pay_runs r on r.id = s.pay_run_id
  join public.timesheets h on h.user_id = s.user_id and h.status = 'locked' and h.pay_run_id = run
  join public.time_segments t on t.timesheet_id = h.id and t.day between r.period_start and r.period_end
  where s.pay_run_id = run and t.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
  group by s.id, t.site_id, date_trunc('month', t.day)::date;

  insert into private.summed_invoices (invoice_id) select unnest(invoices);
  insert into private.billed_minutes (invoice_line_id, month, minutes)
  select b.invoice_line_id, date_trunc('month', lower(b.span) at time zone zone)::date, sum(b.minutes)
  from public.invoice_lines l join public.billed_time b on b.invoice_line_id = l.id
  where l.invoice_id = any (invoices) and b.freed_at is null
  group by 1, 2;
end
$$;

create function private.forget_billed_minutes() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.billed_minutes;
  delete from private.summed_invoices;
  return null;
end
$$;
create trigger z_forget_billed_minutes after update on private.settings
  for each row when (old.time_zone <> new.time_zone) execute function private.forget_billed_minutes();

-- As before, but with the sums of issued invoices.
create or replace function private.billed_by_site(p_from date, p_to date)
returns table (site_id uuid, client_id uuid, month date, currency text, amount numeric, minutes bigint, lrd_per_usd numeric)
language sql stable security definer set search_path = '' as $$
  with documents as materialized (
    select i.id, i.client_id, i.currency, i.period_end, private.pay_rate('lrd_per_usd', i.issued_on) as lrd_per_usd,
      d.invoice_id is not null as is_summed
    from public.invoices i left join private.summed_invoices d on d.invoice_id = i.id
    where i.status <> 'draft' and i.period_end >= p_from and i.period_start <= p_to
  ), lines as materialized (
    select l.id, l.site_id, d.client_id, d.currency, l.amount, d.lrd_per_usd, d.is_summed,
      coalesce(l.month, date_trunc('month', d.period_end)::date) as month
    from documents d join public.invoice_lines l on l.invoice_id = d.id
    where l.credited_at is null
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
  select l.site_id, l.client_id, coalesce(s.month, l.month), l.currency,
    sum(l.amount * coalesce(s.minutes / s.of_line, 1)), coalesce(sum(s.minutes), 0)::bigint, l.lrd_per_usd
  from lines l left join spans s on s.invoice_line_id = l.id
  where coalesce(s.month, l.month) between p_from and p_to
  group by l.site_id, l.client_id, coalesce(s.month, l.month), l.currency, l.lrd_per_usd;
$$;

-- As before, but with the sums of locked timesheets; only what their run has not locked is read by the hour.
create or replace function private.wages_by_site(p_from date, p_to date)
returns table (
  site_id uuid, month date, currency text, wages numeric, employer numeric, minutes bigint, lrd_per_usd numeric
)
language sql stable security definer set search_path = '' as $$
  with runs as materialized (
    select r.id, r.currency, r.period_start, r.period_end, r.lrd_per_usd, d.pay_run_id is not null as is_summed
    from public.pay_runs r left join private.summed_pay_runs d on d.pay_run_id = r.id
    where r.status in ('locked', 'paid') and r.period_end >= p_from and r.period_start <= p_to
  ), slips as materialized (
    select s.id, s.user_id, s.gross, s.employer_cost, r.id as run, r.currency, r.period_start, r.period_end, r.lrd_per_usd,
      r.is_summed
    from runs r join public.payslips s on s.pay_run_id = r.id
  ), sheets as materialized (
    select s.id as slip, h.id, s.period_start, s.period_end
    from slips s
    join public.timesheets h on h.user_id = s.user_id
      and h.period_start <= s.period_end and h.period_end >= s.period_start
    where not (s.is_summed and h.status = 'locked' and h.pay_run_id is not distinct from s.run)
  ), months as (
    select m.payslip_id as id, m.site_id, m.month, m.minutes
    from runs r join private.paid_minutes m on m.pay_run_id = r.id
    where r.is_summed
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
  select w.site_id, coalesce(w.month, date_trunc('month', s.period_end)::date), s.currency,
    sum(s.gross * coalesce(w.minutes / w.of_slip, 1)), sum(s.employer_cost * coalesce(w.minutes / w.of_slip, 1)),
    coalesce(sum(w.minutes), 0)::bigint, s.lrd_per_usd
  -- The hours of a deleted account are nobody's.
  from slips s left join worked w on w.id = s.id and s.user_id is not null
  where coalesce(w.month, date_trunc('month', s.period_end)::date) between p_from and p_to
  group by w.site_id, coalesce(w.month, date_trunc('month', s.period_end)::date), s.currency, s.lrd_per_usd;
$$;

revoke all on all functions in schema private from public;
