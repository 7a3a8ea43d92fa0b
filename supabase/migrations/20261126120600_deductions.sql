-- What a run takes from what was earned: income tax, social security, standing deductions and repayments; and the
-- adjustments of earlier periods that it pays.
alter table public.pay_adjustments
  add constraint pay_adjustments_pay_run_id_fkey foreign key (pay_run_id) references public.pay_runs (id),
  add constraint pay_adjustments_payslip_line_id_fkey foreign key (payslip_line_id) references public.payslip_lines (id);

-- Approved adjustments that no run has paid yet, also of people who earned nothing in the period or have left: by the
-- group of their last basis. One that would take gross pay below zero waits for the next run.
create function private.adjustment_lines(p_run public.pay_runs, p_earned private.pay_line[])
returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with sums as (
    select e.staff_id, sum(e.amount) as gross from unnest(p_earned) e group by e.staff_id
  ), waiting as (
    select a.*, s.id as payee,
      coalesce(g.gross, 0) + sum(a.amount) over (
        partition by s.id order by a.amount < 0, a.created_at, a.id rows unbounded preceding) as left_over
    from public.pay_adjustments a
    join public.staff s on s.id = a.staff_id or a.staff_id is null and s.user_id = a.user_id
    left join sums g on g.staff_id = s.id
    where a.status = 'approved' and a.payslip_line_id is null and a.currency = p_run.currency and a.amount <> 0
      and (g.staff_id is not null or (private.basis_on(s.id, p_run.period_end)).payment_frequency = p_run.pay_group)
  )
  select w.payee, 950 + row_number() over (partition by w.payee order by w.created_at, w.id)::integer, 'adjustment',
    format('Correction of %s to %s', to_char(w.period_start, 'Mon FMDD'), to_char(w.period_end, 'Mon FMDD, YYYY')),
    1, '', w.amount, w.amount, true, jsonb_build_object('table', 'pay_adjustments', 'id', w.id),
    left(w.explanation || case when w.figure_before is null or w.figure_after is null then '' else
      format(' Paid %s, recomputed %s.', private.money_text(w.figure_before, w.currency),
        private.money_text(w.figure_after, w.currency)) end, 500)
  from waiting w where w.left_over >= 0;
$$;

-- Income tax on the taxable lines and social security on gross.
create function private.statutory_lines(p_run public.pay_runs, p_earned private.pay_line[])
returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with sums as (
    select e.staff_id, sum(e.amount) as gross,
      greatest(0, coalesce(sum(e.amount) filter (where e.taxable), 0)) as taxable
    from unnest(p_earned) e group by e.staff_id
  )
  select s.staff_id, 1000, 'income_tax', 'Income tax', null::numeric, '', null::numeric, -t.amount, false,
    '{"table": "pay_rates"}'::jsonb, t.explanation
  from sums s join public.staff p on p.id = s.staff_id
  cross join lateral private.income_tax(s.taxable, p_run.currency, private.periods_a_year(p_run.pay_group),
    p_run.lrd_per_usd, p_run.period_end, p.tax_resident) t
  where t.amount > 0
  union all
  select s.staff_id, 1010, 'nasscorp', 'NASSCORP', null, '', r.rate, -round(s.gross * r.rate, 2), false,
    '{"table": "pay_rates"}', format('%s%% of %s.', trim_scale(r.rate * 100), private.money_text(s.gross, p_run.currency))
  from sums s cross join lateral private.pay_rate('nasscorp_employee', p_run.period_end) r (rate)
  where round(s.gross * r.rate, 2) > 0;
$$;

-- Standing deductions, as far as pay is left after tax and social security.
create function private.standing_lines(p_run public.pay_runs, p_lines private.pay_line[])
returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with sums as (
    select l.staff_id, sum(l.amount) as net from unnest(p_lines) l group by l.staff_id
  ), pieces as materialized (
    select p.*, s.net from private.run_pieces(p_run.pay_group, p_run.currency, p_run.period_start, p_run.period_end,
      array(select i.staff_id from public.pay_items i where i.kind = 'deduction')) p
    join sums s on s.staff_id = p.staff_id
  ), worked as materialized (
    select s.user_id, s.day, s.shift_key, s.shift_day
    from private.paid_segments(array(select distinct p.user_id from pieces p where p.user_id is not null),
      p_run.period_start, p_run.period_end) s
    where s.day >= p_run.period_start and s.class not in ('unpaid', 'leave_paid', 'leave_unpaid')
  ), due as (
    select i.id, i.staff_id, i.name, i.per, i.amount as each, i.effective_from, d.net, case i.per
      when 'day' then w.days * i.amount when 'shift' then w.shifts * i.amount
      else case when d.days = p_run.period_end - p_run.period_start + 1 then i.amount
        else round(i.amount * d.days / (p_run.period_end - p_run.period_start + 1), 2) end end as amount
    from public.pay_items i
    cross join lateral (
      select sum(least(p.last, i.effective_to) - greatest(p.first, i.effective_from) + 1)::integer as days,
        min(p.net) as net, min(p.user_id::text)::uuid as user_id
      from pieces p
      where p.staff_id = i.staff_id and p.first <= coalesce(i.effective_to, p.last) and p.last >= i.effective_from
    ) d
    cross join lateral (
      select count(distinct w.day) filter (where w.day between i.effective_from and coalesce(i.effective_to, w.day)
          and w.day between p.first and p.last) as days,
        count(distinct w.shift_key) filter (where w.shift_day between i.effective_from and coalesce(i.effective_to, w.shift_day)
          and w.shift_day between p.first and p.last) as shifts
      from worked w join pieces p on p.staff_id = i.staff_id where w.user_id = d.user_id
    ) w
    where i.kind = 'deduction' and i.currency = p_run.currency and d.days > 0
  ), taken as (
    select d.*, greatest(0, least(d.amount, d.net - coalesce(sum(d.amount) over (
      partition by d.staff_id order by d.effective_from, d.name, d.id rows between unbounded preceding and 1 preceding), 0)
    )) as takes
    from due d where d.amount > 0
  )
  select t.staff_id, 1100 + row_number() over (partition by t.staff_id order by t.effective_from, t.name, t.id)::integer,
    'deduction', t.name, null::numeric, '', null::numeric, -t.takes, false,
    jsonb_build_object('table', 'pay_items', 'id', t.id),
    case when t.takes < t.amount then format('%s of %s: no more pay was left.',
      private.money_text(t.takes, p_run.currency), private.money_text(t.amount, p_run.currency))
    else format('%s for each %s.', private.money_text(t.each, p_run.currency), t.per) end
  from taken t where t.takes > 0;
$$;

-- Repayments of advances, loans and uniforms, oldest first: each its part at most, all together a share of the pay that
-- is left, rounded down. What does not fit waits for the next run.
create function private.repayment_lines(p_run public.pay_runs, p_lines private.pay_line[])
returns setof private.pay_line
language sql stable security definer set search_path = '' as $$
  with sums as (
    select l.staff_id, trunc(greatest(0, sum(l.amount)) * (
      select (r.rule).max_deduction_share from private.time_rule_days() r
      where p_run.period_end >= r.first and p_run.period_end < r.until
    ), 2) as room
    from unnest(p_lines) l group by l.staff_id
  ), due as (
    select b.id, b.staff_id, b.kind, b.repay_from, b.created_at, s.room, b.balance,
      least(b.repay_per_period, b.balance) as amount
    from (
      select l.*, private.ledger_balance(l.id) as balance from public.staff_ledger l
      where l.entry = 'issue' and l.currency = p_run.currency and l.repay_from <= p_run.period_end
    ) b
    join sums s on s.staff_id = b.staff_id
    where b.balance > 0
  ), taken as (
    select d.*, greatest(0, least(d.amount, d.room - coalesce(sum(d.amount) over (
      partition by d.staff_id order by d.repay_from, d.created_at, d.id
      rows between unbounded preceding and 1 preceding), 0))) as takes
    from due d
  )
  select t.staff_id, 1200 + row_number() over (partition by t.staff_id order by t.repay_from, t.created_at, t.id)::integer,
    t.kind, case t.kind when 'advance' then 'Advance repaid' when 'loan' then 'Loan repaid' when 'uniform' then 'Uniform'
      else 'Repayment' end, null::numeric, '', null::numeric, -t.takes, false,
    jsonb_build_object('table', 'staff_ledger', 'id', t.id),
    format('%s of %s owed%s.', private.money_text(t.takes, p_run.currency), private.money_text(t.balance, p_run.currency),
      case when t.takes < t.amount then '; more than the allowed share of pay waits for the next run' else '' end)
  from taken t where t.takes > 0;
$$;

revoke all on all functions in schema private from public;
