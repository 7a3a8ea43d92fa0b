-- Payroll summed by period, currency and status as records are written, so that totals don't read every record of all years.

create table private.payroll_period_sums (
  currency text not null,
  period_start date not null,
  period_end date not null,
  payment_status text not null,
  -- Zero when the last record has gone: the row stays.
  records bigint not null,
  base numeric not null,
  deductions numeric not null,
  bonuses numeric not null,
  net numeric not null,
  primary key (currency, period_start, period_end, payment_status)
);
alter table private.payroll_period_sums enable row level security;
revoke all on private.payroll_period_sums from public, anon, authenticated, service_role;

-- Adds what is given. Rows are written in one order, so that two transactions never wait for each other.
create function private.add_to_payroll_sums(p_changes private.payroll_period_sums[]) returns void
language sql security definer set search_path = '' as $$
  insert into private.payroll_period_sums as s
  select c.currency, c.period_start, c.period_end, c.payment_status, sum(c.records), sum(c.base), sum(c.deductions),
    sum(c.bonuses), sum(c.net)
  from unnest(p_changes) c
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (currency, period_start, period_end, payment_status) do update set records = s.records + excluded.records,
    base = s.base + excluded.base, deductions = s.deductions + excluded.deductions,
    bonuses = s.bonuses + excluded.bonuses, net = s.net + excluded.net;
$$;

create function private.keep_payroll_sums() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  changes private.payroll_period_sums[] := '{}';
begin
  if tg_op = 'TRUNCATE' then
    delete from private.payroll_period_sums;
    return null;
  end if;
  -- Transition tables that an event does not have can't be named in its plan.
  if tg_op <> 'INSERT' then
    changes := changes || array(
      select (o.currency, o.period_start, o.period_end, o.payment_status, -count(*), -sum(o.base_amount),
        -sum(o.deductions), -sum(o.bonuses), -sum(o.net_amount))::private.payroll_period_sums
      from old_rows o group by o.currency, o.period_start, o.period_end, o.payment_status
    );
  end if;
  if tg_op <> 'DELETE' then
    changes := changes || array(
      select (n.currency, n.period_start, n.period_end, n.payment_status, count(*), sum(n.base_amount),
        sum(n.deductions), sum(n.bonuses), sum(n.net_amount))::private.payroll_period_sums
      from new_rows n group by n.currency, n.period_start, n.period_end, n.payment_status
    );
  end if;
  perform private.add_to_payroll_sums(changes);
  return null;
end
$$;
create trigger sums_follow_inserts after insert on public.payroll
  referencing new table as new_rows for each statement execute function private.keep_payroll_sums();
create trigger sums_follow_updates after update on public.payroll
  referencing old table as old_rows new table as new_rows for each statement execute function private.keep_payroll_sums();
create trigger sums_follow_deletes after delete on public.payroll
  referencing old table as old_rows for each statement execute function private.keep_payroll_sums();
create trigger sums_follow_truncates after truncate on public.payroll
  for each statement execute function private.keep_payroll_sums();

-- Sums everything again. Creating the triggers above has locked the table until this transaction ends.
create function private.fill_payroll_sums() returns void
language sql security definer set search_path = '' as $$
  delete from private.payroll_period_sums;
  insert into private.payroll_period_sums
  select p.currency, p.period_start, p.period_end, p.payment_status, count(*), sum(p.base_amount), sum(p.deductions),
    sum(p.bonuses), sum(p.net_amount)
  from public.payroll p group by 1, 2, 3, 4;
$$;
select private.fill_payroll_sums();

-- No rows unless the caller may read every record.
create function private.payroll_sums_of(p_currency text) returns setof private.payroll_period_sums
language sql stable security definer set search_path = '' as $$
  select s.* from private.payroll_period_sums s
  where s.currency = p_currency and s.records > 0 and (select private.has_role('admin', 'finance'));
$$;

create or replace function public.payroll_totals(p_currency text default 'USD')
returns table (
  period_start date, period_end date, records bigint, base numeric, deductions numeric, bonuses numeric, net numeric,
  unpaid numeric
)
language sql stable set search_path = '' as $$
  select s.period_start, s.period_end, sum(s.records)::bigint, sum(s.base), sum(s.deductions), sum(s.bonuses), sum(s.net),
    sum(s.net) filter (where s.payment_status = 'pending')
  from private.payroll_sums_of(p_currency) s
  where s.payment_status <> 'cancelled'
  group by s.period_start, s.period_end
  order by s.period_start desc, s.period_end desc;
$$;

create or replace function public.payroll_sums(
  p_search text default null, p_status text default null, p_start date default null, p_end date default null,
  p_currency text default 'USD'
) returns table (
  records integer, base numeric, deductions numeric, bonuses numeric, net numeric, cancelled integer
)
language sql stable set search_path = '' as $$
  with named as materialized (
    select s.id from public.staff s
    where coalesce(p_search, '') <> ''
      and s.full_name ilike all ((select private.search_patterns(p_search))::text[])
  ), kept as (
    -- Without the right to read them, the records that the caller may read are summed below.
    select coalesce(p_search, '') = '' and private.has_role('admin', 'finance') as are_enough
  ), found as (
    select s.payment_status, s.records, s.base, s.deductions, s.bonuses, s.net
    from private.payroll_sums_of(p_currency) s
    where (select k.are_enough from kept k) and (p_start is null or s.period_start = p_start)
      and (p_end is null or s.period_end = p_end)
    union all
    select p.payment_status, 1, p.base_amount, p.deductions, p.bonuses, p.net_amount
    from public.payroll p
    where not (select k.are_enough from kept k) and p.currency = p_currency
      and (p_start is null or p.period_start = p_start) and (p_end is null or p.period_end = p_end)
      -- A hashed set of ids, read once. Without a search everybody is meant, and the names are not read.
      and (coalesce(p_search, '') = '' or p.staff_id in (select n.id from named n))
  ), counted as (
    select f.*, p_status is not null or f.payment_status <> 'cancelled' as counts
    from found f where p_status is null or f.payment_status = p_status
  )
  select coalesce(sum(c.records) filter (where c.counts), 0)::integer,
    coalesce(sum(c.base) filter (where c.counts), 0), coalesce(sum(c.deductions) filter (where c.counts), 0),
    coalesce(sum(c.bonuses) filter (where c.counts), 0), coalesce(sum(c.net) filter (where c.counts), 0),
    coalesce(sum(c.records) filter (where not c.counts), 0)::integer
  from counted c;
$$;

revoke all on all functions in schema private from public;
-- Called by functions that run as the caller.
grant execute on function private.payroll_sums_of(text) to authenticated;
