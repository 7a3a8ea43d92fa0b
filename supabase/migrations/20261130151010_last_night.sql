CREATE OR REPLACE FUNCTION private.contract_post_of_work(p_site_id uuid, p_post_id uuid, p_day date, p_began date)
 RETURNS public.contract_posts
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c from (
    select private.contract_post_on(p_site_id, p_post_id, p_day) as c, 1 as place
    union all
    select private.contract_post_on(p_site_id, p_post_id, p_began), 2 where p_began = p_day - 1
  ) x
  where (x.c).id is not null order by x.place limit 1;
$function$;

create or replace FUNCTION private.is_time_open(p_user uuid, p_attendance uuid, p_from timestamp with time zone, p_to timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  zone text := (select s.time_zone from private.settings s);
  days daterange := daterange((p_from at time zone zone)::date, (greatest(p_to, p_from) at time zone zone)::date, '[]');
begin
  return exists (
      select from public.timesheets t
      where t.user_id = p_user and daterange(t.period_start, t.period_end, '[]') && days
        and (t.status <> 'locked'
          or exists (select from public.timesheet_disputes d where d.timesheet_id = t.id and d.status = 'open'))
    ) or exists (
      select from public.pay_adjustments a
      where a.user_id = p_user and a.status = 'to_decide' and daterange(a.period_start, a.period_end, '[]') && days
    ) or exists (
      select from (
        select s.site_id, s.shift_id, s.day from public.time_segments s
        where s.attendance_id = p_attendance and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
          and not exists (
            select from public.billed_time b
            where b.user_id = s.user_id and b.freed_at is null and b.span && tstzrange(s.starts_at, s.ends_at)
          )
        -- Contracts are read for unbilled hours alone.
        offset 0
      ) s
      left join public.shifts h on h.id = s.shift_id
      cross join lateral (select private.contract_post_of_work(s.site_id, h.post_id, s.day,
        private.company_date_of(h.start_time)) as post offset 0) c
      where (c.post).basis <> 'fixed'
    );
end
$function$;

create or replace FUNCTION private.clear_drafts(p_drafts uuid[], p_scopes private.draft_scope[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  delete from public.billed_time b using public.invoice_lines l
  where l.id = b.invoice_line_id and l.invoice_id = any (p_drafts);
  delete from public.invoice_lines l where l.invoice_id = any (p_drafts) and l.kind <> 'other';
  delete from public.billed_time b using unnest(p_scopes) s
  where b.is_surplus and b.waived_at is not null and lower(b.span) >= private.company_midnight(s.first)
    and lower(b.span) < private.company_midnight(s.last + 2) and s.contract_id = (
      select (private.contract_post_of_work(b.site_id, b.post_id, d.day, d.began)).contract_id
      from (select private.company_date_of(lower(b.span)) as day, (
        select private.company_date_of(h.start_time) from public.shifts h where h.id = b.shift_id) as began) d
      -- Of the day after the draft only the morning of a last night.
      where d.day <= s.last or d.began = s.last
    );
$function$;

create or replace FUNCTION private.minimum_minutes(p_scopes private.draft_scope[])
 RETURNS TABLE(contract_post_id uuid, month date, minutes integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with months as materialized (
    select m.* from private.months_to_bill(p_scopes) m where m.basis = 'minimum'
  ), work as materialized (
    select m.contract_post_id, m.month, s.site_id, h.post_id, s.day, sum(s.minutes) as minutes
    from months m
    join public.time_segments s on s.site_id = m.site_id and s.starts_at >= private.company_midnight(m.first_day)
      and s.starts_at < private.company_midnight(m.last_day + 1)
    left join public.shifts h on h.id = s.shift_id
    where s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday') and m.open_days @> s.day
    group by m.contract_post_id, m.month, s.site_id, h.post_id, s.day
    union all
    select m.contract_post_id, m.month, b.site_id, b.post_id, d.day, -sum(b.minutes)
    from months m
    join public.billed_time b on b.site_id = m.site_id and lower(b.span) >= private.company_midnight(m.first_day)
      and lower(b.span) < private.company_midnight(m.last_day + 1)
    cross join lateral (select (lower(b.span) at time zone z.time_zone)::date as day from private.settings z) d
    where b.is_surplus and b.waived_at is not null and b.freed_at is null and m.open_days @> d.day
    group by m.contract_post_id, m.month, b.site_id, b.post_id, d.day
    union all
    -- The morning of the last night of a post that ends.
    select m.contract_post_id, m.month, m.site_id, h.post_id, m.last_day, sum(s.minutes)
    from months m
    join public.time_segments s on s.site_id = m.site_id and s.day = m.last_day + 1
      and s.starts_at >= private.company_midnight(m.last_day + 1)
      and s.starts_at < private.company_midnight(m.last_day + 2)
    join public.shifts h on h.id = s.shift_id and h.start_time >= private.company_midnight(m.last_day)
      and h.start_time < private.company_midnight(m.last_day + 1)
    where s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
      and private.contract_post_on(m.site_id, h.post_id, m.last_day + 1) is null
    group by m.contract_post_id, m.month, m.site_id, h.post_id, m.last_day
  )
  select w.contract_post_id, w.month, sum(w.minutes)::integer from work w
  where (private.contract_post_on(w.site_id, w.post_id, w.day)).id = w.contract_post_id
  group by w.contract_post_id, w.month;
$function$;

create or replace FUNCTION private.draw_drafts(p_from date, p_to date, p_scopes private.draft_scope[])
 RETURNS TABLE(client_id uuid, invoice_id uuid, contract_id uuid, currency text, total numeric, line_count integer, problems jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET enable_nestloop TO 'off'
 SET work_mem TO '32MB'
AS $function$
declare
  contracts uuid[] := array(select s.contract_id from unnest(p_scopes) s);
  drafts uuid[];
  spans private.unbilled_span[];
  billed private.unbilled_span[];
  left_over private.unbilled_span[];
  surplus private.unbilled_span[];
  corrections private.invoice_corrections[];
  lines private.draft_line[];
  drawn uuid[];
  invoices uuid[];
  emptied uuid[];
  was_computing text := current_setting('app.computing_time', true);
begin
  drafts := array(
    select i.id from (
      select i.id from public.invoices i
      where i.contract_id = any (contracts) and i.status = 'draft' and i.period_start <= p_to and i.period_end >= p_from
      order by i.id for update
    ) i
  );
  perform set_config('app.computing_time', 'on', true);
  perform private.clear_drafts(drafts, p_scopes);
  spans := array(
    select u from private.unbilled_spans(array(
      select t.id from public.sites t where t.client_id in (select s.client_id from unnest(p_scopes) s)
      union
      select c.site_id from public.contract_posts c where c.contract_id = any (contracts)
    -- A day more, for the morning of a contract's last night.
    ), (select min(s.first) from unnest(p_scopes) s), (select max(s.last) + 1 from unnest(p_scopes) s)) u
    left join unnest(p_scopes) s on s.contract_id = u.contract_id
    where u.contract_id is null and u.day between p_from and p_to or u.day between s.first and s.last
  );
  select array_agg(h.piece) filter (where not h.is_surplus), array_agg(h.piece)
    filter (where h.is_surplus) into spans, surplus
  from private.within_headcount(spans) h;
  billed := array(
    select u from unnest(spans) u where u.is_approved and u.contract_id is not null and u.basis <> 'fixed'
      and u.rate is not null
  );
  left_over := array(
    select u from unnest(spans) u where not u.is_approved or u.contract_id is null or u.basis <> 'fixed'
      and u.rate is null
  );
  insert into public.billed_time (user_id, attendance_id, shift_id, post_id, site_id, span, kind, waived_at,
    waived_reason, is_surplus)
  select u.user_id, u.attendance_id, u.shift_id, u.post_id, u.site_id, u.span, u.kind, now(),
    'Above the agreed headcount', true
  from unnest(surplus) u where u.is_approved;
  lines := array(select l from private.billed_hour_lines(billed) l)
    || array(select l from private.fixed_lines(p_scopes) l)
    || array(select l from private.minimum_lines(p_scopes) l)
    || array(select l from private.gap_lines(p_scopes) l)
    || array(select l from private.estimate_lines(p_scopes, left_over) l)
    || array(select l from private.settlement_lines(p_scopes) l);

  -- A draft below zero can't be issued: what corrects others waits for the contract's next one.
  with older as materialized (
    select i.id from public.invoices i
    where i.contract_id = any (contracts) and i.status = 'draft' and i.total < 0 and i.period_end < p_from
  ), freed as (
    delete from public.invoice_lines l using older o where l.invoice_id = o.id and l.kind = 'correction'
      returning l.invoice_id
  )
  select array_agg(distinct f.invoice_id) into emptied from freed f;
  delete from public.invoices i
  where i.id = any (emptied) and not exists (select from public.invoice_lines l where l.invoice_id = i.id);
  corrections := array(
    select k from private.invoice_corrections k
    join public.invoice_lines l on l.id = k.invoice_line_id
    where k.contract_id = any (contracts) and k.status = 'accepted' and l.credited_at is null
      and not exists (select from public.invoice_lines t where t.correction_id = k.id and t.credited_at is null)
    order by k.created_at, k.id
  );

  select array_agg(p.contract_id), array_agg(p.invoice_id) into drawn, invoices
  from private.prepare_drafts(p_from, p_to, array(
    select l.contract_id from unnest(lines) l union select k.contract_id from unnest(corrections) k
  ), drafts) p;
  perform private.insert_draft_lines(lines, drawn, invoices);
  perform private.insert_correction_lines(corrections, drawn, invoices);
  perform private.mark_pieces_billed(billed, lines);
  perform set_config('app.computing_time', coalesce(was_computing, ''), true);
  update public.invoice_lines l set position = m.place
  from (
    select o.id, count(*) filter (where o.kind <> 'other') over w
      + row_number() over (partition by o.invoice_id, o.kind = 'other' order by o.position, o.id) as place, o.kind
    from public.invoice_lines o where o.invoice_id = any (invoices)
    window w as (partition by o.invoice_id)
  ) m
  where l.id = m.id and m.kind = 'other' and l.position <> m.place;

  return query
  with found as materialized (
    select p.client_id, p.contract_id, jsonb_agg(p.problem
      order by p.problem ->> 'code', p.problem ->> 'text') as problems
    from private.draft_problems(p_scopes, left_over) p group by p.client_id, p.contract_id
  ), rows as materialized (
    select s.client_id, i.id, s.contract_id, s.currency,
      coalesce(own.problems, '[]') || coalesce(place.problems, '[]') as problems
    from unnest(drawn, invoices) i (contract_id, id)
    join unnest(p_scopes) s on s.contract_id = i.contract_id
    left join found own on own.contract_id = i.contract_id
    left join found place on place.contract_id is null and place.client_id = s.client_id
  ), noted as (
    update public.invoices i set problems = r.problems from rows r where i.id = r.id and i.problems <> r.problems
  )
  select r.client_id, r.id, r.contract_id, r.currency, i.total, (
    select count(*)::integer from public.invoice_lines l where l.invoice_id = r.id), r.problems
  from rows r join public.invoices i on i.id = r.id
  union all
  select f.client_id, null::uuid, f.contract_id, s.currency, 0::numeric, 0, f.problems
  from found f left join unnest(p_scopes) s on s.contract_id = f.contract_id
  where case when f.contract_id is null then not exists (select from rows r where r.client_id = f.client_id)
    else not exists (select from rows r where r.contract_id = f.contract_id) end;
end
$function$;

create or replace FUNCTION private.open_spans(p_sites uuid[], p_from date, p_to date, p_timesheets uuid[] DEFAULT NULL::uuid[], p_is_priced boolean DEFAULT true)
 RETURNS SETOF private.unbilled_span
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  with fixed as materialized (
    select l.contract_post_id, l.month, l.days from public.invoice_lines l
    where l.kind = 'fixed' and l.credited_at is null and l.contract_post_id is not null
      and l.month between date_trunc('month', p_from::timestamp - interval '1 day')::date and p_to + 1
  )
  select u.* from private.unbilled_spans(p_sites, p_from, p_to, p_timesheets, p_is_priced) u
  where u.basis is distinct from 'fixed' or not exists (
    select from fixed l
    where l.contract_post_id = u.contract_post_id and l.month = date_trunc('month', u.day::timestamp)::date
      and (l.days is null or l.days @> u.day)
  );
$function$;

create or replace FUNCTION private.unbilled_spans(p_sites uuid[], p_from date, p_to date, p_timesheets uuid[] DEFAULT NULL::uuid[], p_is_priced boolean DEFAULT true)
 RETURNS SETOF private.unbilled_span
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
 SET work_mem TO '32MB'
 SET plan_cache_mode TO 'force_custom_plan'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  first timestamptz := private.company_midnight(p_from);
  last timestamptz := private.company_midnight(p_to + 1);
  zone constant text := (select z.time_zone from private.settings z);
begin
  return query
  with chosen as materialized (
    select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, s.day, s.starts_at, s.ends_at, s.class,
      s.rule
    from public.time_segments s
    where p_timesheets is null and s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
    union all
    select s.* from unnest(p_timesheets) c (id)
    -- One look-up for each timesheet, whatever the planner expects of their number.
    cross join lateral (
      select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, s.day, s.starts_at, s.ends_at, s.class,
        s.rule
      from public.time_segments s
      where s.timesheet_id = c.id and s.day between p_from - 1 and p_to + 1
      offset 0
    ) s
    where s.site_id = any (p_sites) and s.starts_at >= first and s.starts_at < last
      and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
  ), billed as materialized (
    select b.user_id, b.span
    from (
      select c.user_id, min(c.starts_at) as first, max(c.ends_at) as last from chosen c
        group by c.user_id, c.timesheet_id
    ) u
    cross join lateral (
      select b.user_id, b.span from public.billed_time b
      where b.user_id = u.user_id and b.freed_at is null and b.span && tstzrange(u.first, u.last)
      offset 0
    ) b
  ), unbilled as materialized (
    select c.* from chosen c
    -- Most of the past is billed as it was computed, and left out before anything is joined.
    where not exists (select from billed b where b.user_id = c.user_id and b.span = tstzrange(c.starts_at, c.ends_at))
  ), posts as materialized (
    select u.shift_id, h.post_id, h.began
    from (select distinct n.shift_id from unbilled n) u
    cross join lateral (select h.post_id, (h.start_time at time zone zone)::date as began from public.shifts h
      where h.id = u.shift_id offset 0) h
  ), sheets as materialized (
    select u.timesheet_id, t.status in ('approved', 'locked') as is_approved
    from (select distinct n.timesheet_id from unbilled n) u
    cross join lateral (select t.status from public.timesheets t where t.id = u.timesheet_id offset 0) t
  ), work as materialized (
    select s.timesheet_id, s.user_id, s.attendance_id, s.shift_id, s.site_id, h.post_id, s.day, h.began,
      tstzrange(s.starts_at, s.ends_at) as span, t.is_approved,
      case when s.rule = 'rest_day' then 'rest_day' when s.class in ('overtime_1', 'overtime_2') then 'overtime'
        else s.class end as kind
    from unbilled s
    join sheets t on t.timesheet_id = s.timesheet_id
    left join posts h on h.shift_id = s.shift_id
  ), taken as materialized (
    select b.user_id, range_agg(b.span) as spans from billed b group by b.user_id
  ), free as materialized (
    select w.*, x.span as left_over
    from work w left join taken t on t.user_id = w.user_id
    cross join lateral (select w.span where t.spans is null or not t.spans && w.span
      union all select unnest(tstzmultirange(w.span) - t.spans) where t.spans && w.span) x
  ), terms as materialized (
    select c.id, c.contract_id, c.basis, c.site_id, c.post_id, c.starts_on, c.ends_on from public.contract_posts c
    where c.site_id in (select f.site_id from free f)
  ), placed as materialized (
    -- As contract_post_of_work; time of the row of the day before is billed on that day. Rows do not overlap.
    select f.timesheet_id, f.user_id, f.attendance_id, f.shift_id, f.site_id, f.post_id, f.is_approved, f.kind,
      f.left_over, coalesce(p.id, s.id, q.id, t.id) as contract_post_id,
      coalesce(p.contract_id, s.contract_id, q.contract_id, t.contract_id) as contract_id,
      coalesce(p.basis, s.basis, q.basis, t.basis) as basis,
      case when coalesce(p.id, s.id) is null and coalesce(q.id, t.id) is not null then f.began else f.day end as day
    from free f
    left join terms p on p.site_id = f.site_id and p.post_id = f.post_id and f.day >= p.starts_on
      and (p.ends_on is null or f.day <= p.ends_on)
    left join (select t.* from terms t where t.post_id is null) s on s.site_id = f.site_id and f.day >= s.starts_on
      and (s.ends_on is null or f.day <= s.ends_on)
    left join terms q on p.id is null and s.id is null and q.site_id = f.site_id and q.post_id = f.post_id
      and f.began = f.day - 1 and f.began between q.starts_on and q.ends_on
    left join (select t.* from terms t where t.post_id is null) t on p.id is null and s.id is null
      and t.site_id = f.site_id and f.began = f.day - 1 and f.began between t.starts_on and t.ends_on
  ), priced as materialized (
    select distinct l.contract_id, l.contract_post_id, l.kind from placed l
    where l.contract_id is not null and l.basis <> 'fixed' and (p_is_priced or l.is_approved)
  ), prices as materialized (
    -- As hour_rate, which can only change on a day on which a rate begins.
    select d.contract_post_id, d.kind, d.day as first,
      coalesce(lead(d.day) over (partition by d.contract_post_id, d.kind order by d.day), 'infinity') as before,
        x.amount as rate
    from (
      select distinct p.contract_id, p.contract_post_id, p.kind, r.effective_from as day
      from priced p
      join public.rates r on r.contract_id = p.contract_id
        and (r.contract_post_id = p.contract_post_id or r.contract_post_id is null) and r.kind in (p.kind, 'regular')
    ) d
    cross join lateral (
      select r.amount from public.rates r
      where r.contract_id = d.contract_id and (r.contract_post_id = d.contract_post_id or r.contract_post_id is null)
        and r.kind in (d.kind, 'regular') and r.effective_from <= d.day
      order by r.kind = d.kind desc, r.contract_post_id nulls last, r.effective_from desc
      limit 1
    ) x
  ), taxes as materialized (
    select p.contract_post_id, t.*
    from (
      select l.contract_id, l.contract_post_id, min(l.day) as first, max(l.day) as last from placed l
      where l.contract_id is not null group by l.contract_id, l.contract_post_id
    ) p
    cross join lateral private.tax_days(p.contract_id, p.contract_post_id, p.first, p.last) t
  )
  select l.contract_id, l.contract_post_id, l.basis, l.site_id, l.post_id, l.user_id, l.attendance_id, l.shift_id,
    l.day,
    l.left_over, (extract(epoch from upper(l.left_over) - lower(l.left_over)) / 60)::integer, l.kind, l.is_approved,
    p.rate, x.tax_name, x.tax_rate, l.timesheet_id, x.vat_treatment
  from placed l
  left join prices p on p.contract_post_id = l.contract_post_id and p.kind = l.kind and l.day >= p.first
    and l.day < p.before
  left join taxes x on x.contract_post_id = l.contract_post_id and l.day between x.first and x.last;
end
$function$;

create or replace FUNCTION public.hours_of_line(p_line_id uuid)
 RETURNS TABLE(full_name text, kind text, starts_at timestamp with time zone, ends_at timestamp with time zone, minutes integer, clock_in_at timestamp with time zone, clock_out_at timestamp with time zone, corrected boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  line public.invoice_lines;
begin
  perform private.require_billing_role();
  select * into line from public.invoice_lines l where l.id = p_line_id;
  return query
    with work as (
      select b.user_id, b.attendance_id, b.kind, lower(b.span) as starts, upper(b.span) as ends, b.minutes
      from public.billed_time b where b.invoice_line_id = line.id
      union all
      select s.user_id, s.attendance_id, line.kind, min(s.starts_at), max(s.ends_at), sum(s.minutes)::integer
      from public.contract_posts c
      join public.time_segments s on s.site_id = c.site_id and s.day >= line.month
        and s.day <= line.month + interval '1 month'
        and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
      left join public.shifts h on h.id = s.shift_id
      cross join lateral (select (private.contract_post_of_work(s.site_id, h.post_id, s.day,
        private.company_date_of(h.start_time))).id as id offset 0) p
      where line.kind = 'fixed' and c.id = line.contract_post_id and p.id = c.id
        -- Of the day after the month only the morning of the post's last night.
        and (s.day < line.month + interval '1 month' or c.ends_on = s.day - 1)
      group by s.user_id, s.attendance_id
    )
    select coalesce(nullif(p.full_name, ''), p.email, 'Former user'), w.kind, w.starts, w.ends, w.minutes,
      a.clock_in_at, a.clock_out_at, a.corrected_at is not null
    from work w
    join public.profiles p on p.id = w.user_id
    left join public.attendance a on a.id = w.attendance_id order by w.starts, 1;
end
$function$;

create or replace FUNCTION public.client_line_days(p_line_id uuid)
 RETURNS TABLE(day date, minutes integer, guards integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  line public.invoice_lines;
begin
  select l.* into line from public.invoice_lines l join public.invoices i on i.id = l.invoice_id
  where l.id = p_line_id and i.client_id = any (private.client_of_caller()) and i.status <> 'draft';
  if line.id is null then
    raise exception 'There is no such line.' using errcode = 'PT404';
  end if;
  return query
    with pieces as (
      select d.day::date as day, b.user_id, extract(epoch from
        least(upper(b.span), (d.day + interval '1 day') at time zone z.time_zone)
        - greatest(lower(b.span), d.day at time zone z.time_zone)) / 60 as minutes
      from private.settings z
      cross join public.billed_time b
      cross join lateral generate_series(
        date_trunc('day', lower(b.span) at time zone z.time_zone),
        (upper(b.span) - interval '1 microsecond') at time zone z.time_zone, interval '1 day') d (day)
      where b.invoice_line_id = line.id
      union all
      select s.day, s.user_id, s.minutes
      from public.contract_posts c
      join public.time_segments s on s.site_id = c.site_id and s.day >= line.month
        and s.day <= line.month + interval '1 month'
        and s.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
      left join public.shifts h on h.id = s.shift_id
      cross join lateral (select (private.contract_post_of_work(s.site_id, h.post_id, s.day,
        private.company_date_of(h.start_time))).id as id offset 0) p
      where line.kind = 'fixed' and c.id = line.contract_post_id and p.id = c.id
        -- Of the day after the month only the morning of the post's last night.
        and (s.day < line.month + interval '1 month' or c.ends_on = s.day - 1)
    )
    select p.day, sum(p.minutes)::integer, count(distinct p.user_id)::integer
    from pieces p group by p.day order by p.day;
end
$function$;

create or replace FUNCTION private.lines_taken_back(p_scopes private.draft_scope[])
 RETURNS SETOF private.draft_line
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET jit TO 'off'
AS $function$
declare
  credits public.invoice_lines[];
  sites uuid[];
  first date;
  last date;
begin
  -- Coverage is computed only where attendance has changed since the line was drawn.
  credits := array(
    select l
    from unnest(p_scopes) s
    join public.invoices i on i.contract_id = s.contract_id and i.status <> 'draft'
    join public.invoice_lines l on l.invoice_id = i.id and l.kind = 'gap_credit' and l.credited_at is null
      and l.minutes > 0
    where upper(l.days) - 1 <= s.last and (
      exists (
        select from public.attendance r
        where r.site_id = l.site_id and r.clock_in_at >= private.company_midnight(lower(l.days) - 1)
          and r.clock_in_at < private.company_midnight(upper(l.days) + 1) and r.updated_at >= l.created_at
      ) or exists (
        select from public.assignments g
        where g.site_id = l.site_id and g.starts_at >= private.company_midnight(lower(l.days) - 1)
          and g.starts_at < private.company_midnight(upper(l.days) + 1) and g.updated_at >= l.created_at
      )
    )
  );
  select array_agg(distinct c.site_id), min(lower(c.days)), max(upper(c.days) - 1) into sites, first, last
    from unnest(credits) c;
  return query
  with recursive covered as materialized (
    select g.* from private.coverage_of(sites, first, last) g where cardinality(credits) > 0 and g.uncovered_minutes > 0
  ), targets as (
    select c.id, c.minutes as of_line, c.minutes - least(c.minutes, coalesce((
        select sum(g.uncovered_minutes) from covered g
        where g.site_id = c.site_id and g.post_id is not distinct from c.post_id and c.days @> g.day
      ), 0))::integer as minutes
    from unnest(credits) c
    union all
    -- Of a minimum, the late hours that are billed as worked now. The earlier of several lines first.
    select f.id, f.of_line, greatest(0, least(f.of_line, f.late - f.before))::integer
    from (
      select l.id, round(l.quantity * 60)::integer as of_line, coalesce(w.minutes, 0) as late,
        sum(round(l.quantity * 60)) over (partition by l.contract_post_id, l.month order by l.created_at, l.id)
          - round(l.quantity * 60) as before
      from unnest(p_scopes) s
      join public.invoices i on i.contract_id = s.contract_id and i.status <> 'draft'
      join public.invoice_lines l on l.invoice_id = i.id and l.kind = 'minimum' and l.credited_at is null
        and l.month <= s.last
      cross join lateral (
        select sum(t.minutes) as minutes
        from private.late_hours h
        join public.pay_adjustments a on a.id = h.adjustment_id and a.decided_at >= l.created_at
        join public.time_segments t on t.timesheet_id = h.timesheet_id and t.attendance_id = h.attendance_id
        left join public.shifts d on d.id = t.shift_id
        where t.site_id = l.site_id and t.class in ('regular', 'overtime_1', 'overtime_2', 'night', 'holiday')
          and t.day >= l.month and t.day <= l.month + interval '1 month'
          and (private.contract_post_of_work(t.site_id, d.post_id, t.day, private.company_date_of(d.start_time))).id
            = l.contract_post_id
          and (t.day < l.month + interval '1 month' or private.contract_post_on(t.site_id, d.post_id, t.day) is null)
      ) w
    ) f
  ), chain as (
    select t.id, t.id as last_id, 0 as minutes, 0::numeric as amount, 0::numeric as with_tax, 0 as place,
      false as is_draft
    from targets t
    union all
    select c.id, l.id, c.minutes + coalesce(l.minutes, 0), c.amount + l.amount, c.with_tax + l.price_with_tax,
      c.place + 1, i.status = 'draft'
    from chain c
    join public.invoice_lines l on l.settles_line_id = c.last_id and l.credited_at is null
    join public.invoices i on i.id = l.invoice_id
  ), ends as (
    select distinct on (c.id) c.* from chain c order by c.id, c.place desc
  )
  select gen_random_uuid(), i.contract_id, l.contract_post_id, l.site_id, l.post_id, 'settlement',
    case l.kind when 'gap_credit' then 'credit of ' || i.number || ' for uncovered hours taken back'
      else 'minimum of ' || i.number || ' taken back' end,
    case l.kind when 'gap_credit' then 1 else -1 end * round((t.minutes - e.minutes) / 60.0, 4), 'h', l.rate,
    -round(l.amount * t.minutes / t.of_line, 2) - e.amount, l.tax_name, l.tax_rate, t.minutes - e.minutes, l.month,
      e.last_id,
    null::datemultirange,
    case l.kind when 'gap_credit'
      then format('%s of %s h that were credited are covered by attendance which arrived later.',
        trim_scale(round(t.minutes / 60.0, 2)), trim_scale(round(t.of_line / 60.0, 2)))
      else format('%s of %s h up to the minimum are billed as worked.', trim_scale(round(t.minutes / 60.0, 2)),
        trim_scale(round(t.of_line / 60.0, 2))) end,
    l.vat_treatment, -round(l.price_with_tax * t.minutes / t.of_line, 2) - e.with_tax
  from targets t
  join ends e on e.id = t.id
  join public.invoice_lines l on l.id = t.id
  join public.invoices i on i.id = l.invoice_id
  -- What another draft takes back waits for that one.
  where t.minutes <> e.minutes and not e.is_draft;
end
$function$;
