create extension if not exists pg_trgm with schema extensions;

CREATE OR REPLACE FUNCTION private.folded(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(replace(replace(replace(lower(regexp_replace(NORMALIZE(translate(written, '''’‘ʼʻ′´`-‐‑‒–—.()+/'::text, ''::text), NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text)), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'łøđðıŋɛɔɓɗħς'::text, 'loddineobdhσ'::text);

CREATE OR REPLACE FUNCTION public.search_text(site public.sites)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded((((((site).name || ' '::text) || COALESCE((site).client_name, ''::text)) || ' '::text) || COALESCE((site).address, ''::text)));

CREATE OR REPLACE FUNCTION public.search_text(post public.posts)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded((post).name);

CREATE OR REPLACE FUNCTION public.search_text(orders public.newest_post_orders)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (orders).title, (orders).site_name, (orders).post_name));

CREATE OR REPLACE FUNCTION public.search_site(shift public.shift_board)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (shift).site_name, (shift).client_name));

CREATE OR REPLACE FUNCTION public.search_text(deployment public.deployments)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (deployment).guard_name, (deployment).location, (deployment).client_name));

CREATE OR REPLACE FUNCTION public.search_text(seat public.attendance_overview)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded((seat).guard_name);

CREATE OR REPLACE FUNCTION public.search_text(request public.leave_overview)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (request).person_name, (request).reason));

CREATE OR REPLACE FUNCTION public.search_text(enquiry public.contact_messages)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (enquiry).name, (enquiry).email, (enquiry).company, (enquiry).message, (enquiry).note));

CREATE OR REPLACE FUNCTION public.search_text(person public.profiles)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(((((COALESCE((person).full_name, ''::text) || ' '::text) || COALESCE((person).email, ''::text)) || ' '::text) || COALESCE((person).phone, ''::text)));

CREATE OR REPLACE FUNCTION public.search_text(account public.user_accounts)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (account).full_name, (account).email, (account).phone));

CREATE OR REPLACE FUNCTION public.search_name(person public.staff)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded((person).full_name);

CREATE OR REPLACE FUNCTION private.longest(patterns text[])
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (SELECT p.pattern FROM unnest(longest.patterns) p(pattern) ORDER BY (char_length(p.pattern)) DESC LIMIT 1);

CREATE OR REPLACE FUNCTION private.found_clients(patterns text[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
  select c.id from public.clients c
  where public.search_text(c) like private.longest(patterns) and public.search_text(c) like all (patterns);
$function$;

CREATE OR REPLACE FUNCTION private.found_sites(patterns text[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
  select s.id from public.sites s
  where public.search_text(s) like private.longest(patterns) and public.search_text(s) like all (patterns);
$function$;

CREATE OR REPLACE FUNCTION private.found_people(patterns text[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
  select p.id from public.profiles p
  where public.search_text(p) like private.longest(patterns) and public.search_text(p) like all (patterns);
$function$;

CREATE OR REPLACE FUNCTION private.found_staff(patterns text[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
  select s.id from public.staff s
  where public.search_text(s) like private.longest(patterns) and public.search_text(s) like all (patterns);
$function$;

CREATE OR REPLACE FUNCTION public.search_staff(p_search text DEFAULT ''::text)
 RETURNS SETOF public.staff
 LANGUAGE sql
 STABLE
AS $function$
  select s.* from public.staff s
  where cardinality(private.search_patterns(coalesce(p_search, ''))) = 0
    or s.id in (select private.found_staff(private.search_patterns(p_search)));
$function$;

CREATE OR REPLACE FUNCTION private.found_incidents(patterns text[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER ROWS 20
 SET search_path TO ''
AS $function$
  select i.id
  from (
    select r.id from public.incidents r
    where private.folded(r.title || ' ' || r.description) like private.longest(patterns)
    union
    select r.id from public.sites s join public.incidents r on r.site_id = s.id
    where private.folded(s.name) like private.longest(patterns)
  ) candidate
  join public.incidents i on i.id = candidate.id
  join public.sites t on t.id = i.site_id
  where private.folded(concat_ws(' ', i.title, i.description, t.name)) like all (patterns);
$function$;

CREATE OR REPLACE FUNCTION public.search_incidents(p_search text DEFAULT ''::text)
 RETURNS SETOF public.incidents
 LANGUAGE sql
 STABLE
AS $function$
  select i.* from public.incidents i
  where cardinality(private.search_patterns(coalesce(p_search, ''))) = 0
    or i.id in (select private.found_incidents(private.search_patterns(p_search)));
$function$;

create or replace FUNCTION private.gravest_posts(begins timestamp with time zone, ends timestamp with time zone, own_sites uuid[], wanted_state text, client text, supervisor text, counties text[], chosen_sites uuid[], words text)
 RETURNS TABLE(shifts uuid[], counts jsonb, posts integer)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  shown constant integer := 200;
  -- By gravity, the gravest first.
  states constant text[] := array['sos', 'missing', 'empty', 'left_early', 'no_signal', 'late', 'due', 'on_post'];
  wanted constant integer := array_position(states, wanted_state);
  soon constant timestamptz := now() + interval '2 hours';
  earliest constant timestamptz := private.first_start(now());
  patterns constant text[] := private.search_patterns(coalesce(words, ''));
begin
  return query
  with alarm as materialized (
    select l.assignment_id, l.shift_id, l.is_sos, l.is_silent from private.alarmed_seats() l
  ),
  site as materialized (
    select t.id, t.name, t.client_name, t.alert_after_minutes
    from public.sites t
    where (own_sites is null or t.id = any (own_sites)) and (chosen_sites is null or t.id = any (chosen_sites))
      and (client is null or t.client_name = client) and (counties is null or t.county = any (counties))
      and (supervisor is null or exists (
        select from private.site_supervisors b where b.site_id = t.id and b.name = supervisor
      ))
  ),
  shift as materialized (
    select s.id, s.site_id, s.post_id, s.end_time, s.required_headcount, true as is_current
    from public.shifts s
    where s.start_time >= earliest and s.start_time < soon and s.end_time > now()
    union all
    select s.id, s.site_id, s.post_id, s.end_time, s.required_headcount, false
    from public.shifts s
    where s.id in (select a.shift_id from alarm a where a.is_sos)
      and s.start_time < ends and s.end_time > begins and not (s.end_time > now() and s.start_time < soon)
  ),
  seat as materialized (
    select a.shift_id, a.id, a.attendance_state, greatest(a.starts_at, a.created_at) as expected
    from public.assignments a
    where a.starts_at >= earliest and a.starts_at < soon and a.counts_as_staffed
      and upper(a.period) > now()
    union all
    select a.shift_id, a.id, a.attendance_state, greatest(a.starts_at, a.created_at)
    from public.assignments a
    where a.shift_id in (select s.id from shift s where not s.is_current) and a.counts_as_staffed
  ),
  judged as materialized (
    select s.id, s.site_id, s.post_id, s.is_current, s.required_headcount, t.name, t.client_name,
      case
        when l.is_sos then 1
        when e.id is null or not s.is_current then null
        when e.attendance_state = 'out' then case when (
            select s.end_time - r.clock_out_at > private.early_leave_margin()
            from public.attendance r where r.assignment_id = e.id order by r.clock_in_at desc limit 1
          ) and (
            select count(*) from public.assignments o where o.shift_id = s.id and o.attendance_state = 'in'
              and o.status <> 'cancelled'
          ) < s.required_headcount then 4 end
        when e.attendance_state = 'in' then case when l.is_silent then 5 else 8 end
        when e.expected > now() then 7
        when e.expected > now() - make_interval(mins => t.alert_after_minutes) then 6
        else 2
      end as state,
      e.id as seat_id
    from shift s
    join site t on t.id = s.site_id
    left join seat e on e.shift_id = s.id
    left join alarm l on l.assignment_id = e.id
  ),
  counted as materialized (
    select j.site_id, j.post_id, j.name, j.client_name, j.id,
      count(*) filter (where j.state = 1)::integer as s1, count(*) filter (where j.state = 2)::integer as s2,
      case when j.is_current then greatest(j.required_headcount - count(j.seat_id), 0) else 0 end::integer as s3,
      count(*) filter (where j.state = 4)::integer as s4, count(*) filter (where j.state = 5)::integer as s5,
      count(*) filter (where j.state = 6)::integer as s6, count(*) filter (where j.state = 7)::integer as s7,
      count(*) filter (where j.state = 8)::integer as s8
    from judged j
    group by j.id, j.site_id, j.post_id, j.name, j.client_name, j.is_current, j.required_headcount
  ),
  post as materialized (
    select c.site_id, c.post_id, c.name, c.client_name,
      array[sum(c.s1), sum(c.s2), sum(c.s3), sum(c.s4), sum(c.s5), sum(c.s6), sum(c.s7), sum(c.s8)]::integer[] as seats
    from counted c
    group by 1, 2, 3, 4
  ),
  guard as materialized (
    select g.site_id, g.post_id, g.names from private.posts_of_named_guards(begins, ends, patterns) g
  ),
  found as materialized (
    select p.site_id, p.post_id, p.name, p.seats
    from post p
    left join guard g on g.site_id = p.site_id and g.post_id is not distinct from p.post_id
    where cardinality(patterns) = 0 or private.folded(concat_ws(E'\n', p.name, p.client_name,
        (select o.name from public.posts o where o.id = p.post_id), g.names
      )) like all (patterns)
  ),
  matching as materialized (
    select f.site_id, f.post_id, f.name, private.gravity_of(f.seats) as gravity
    from found f
    where wanted is null or f.seats[wanted] > 0
  ),
  gravest as materialized (
    select m.site_id, m.post_id from matching m order by m.gravity, m.name, m.site_id, m.post_id limit shown
  )
  select array(
      select s.id
      from gravest g
      join public.shifts s on s.site_id = g.site_id and s.post_id is not distinct from g.post_id
      where s.start_time >= least(begins - interval '24 hours', earliest) and s.start_time < ends
        and s.end_time > begins
    ),
    (
      select jsonb_build_object(
        'sos', coalesce(sum(f.seats[1]), 0), 'missing', coalesce(sum(f.seats[2]), 0),
        'empty', coalesce(sum(f.seats[3]), 0), 'left_early', coalesce(sum(f.seats[4]), 0),
        'no_signal', coalesce(sum(f.seats[5]), 0), 'late', coalesce(sum(f.seats[6]), 0),
        'due', coalesce(sum(f.seats[7]), 0), 'on_post', coalesce(sum(f.seats[8]), 0)
      )
      from found f
    ),
    (select count(*)::integer from matching m);
end
$function$;

create or replace FUNCTION private.posts_of_named_guards(p_begins timestamp with time zone, p_ends timestamp with time zone, p_patterns text[])
 RETURNS TABLE(site_id uuid, post_id uuid, names text)
 LANGUAGE sql
 STABLE
AS $function$
  select s.site_id, s.post_id, string_agg(coalesce(nullif(f.full_name, ''), f.email), E'\n') as names
  from public.profiles f
  join public.assignments a on a.user_id = f.id
  join public.shifts s on s.id = a.shift_id
  where cardinality(p_patterns) > 0 and private.folded(coalesce(nullif(f.full_name, ''), f.email)) like any (p_patterns)
    and a.starts_at >= p_begins - interval '24 hours' and a.starts_at < p_ends and upper(a.period) > p_begins
    and a.status <> 'cancelled'
  group by 1, 2;
$function$;

create or replace FUNCTION private.search_patterns(search text)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN ARRAY(SELECT (('%'::text || replace(replace(replace(replace(folded.word, '\'::text, '\\'::text), '%'::text, '\%'::text), '_'::text, '\_'::text), '*'::text, '%'::text)) || '%'::text) FROM ((SELECT part.word, part.place FROM ((SELECT '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+'::text AS space, "left"(search_patterns.search, 200) AS text) given CROSS JOIN LATERAL regexp_split_to_table(CASE WHEN ((regexp_replace(given.text, given.space, ''::text, 'g'::text) ~ '^\(?(\+|0|231)[0-9().+/-]*$'::text) AND (regexp_replace(given.text, '[^0-9]'::text, ''::text, 'g'::text) ~ '.{7}'::text)) THEN regexp_replace(given.text, given.space, ''::text, 'g'::text) ELSE given.text END, given.space) WITH ORDINALITY part(word, place)) WHERE (part.word <> ''::text) ORDER BY part.place LIMIT 8) found CROSS JOIN LATERAL (SELECT regexp_replace(private.folded(found.word), '^(?=[0-9]{6,}$)(?:(?:00)?231)?0?([0-9]{4,})$'::text, '\1'::text) AS word) folded) WHERE (folded.word <> ''::text) ORDER BY found.place);

create or replace FUNCTION public.find_records(p_text text)
 RETURNS TABLE(kind text, id uuid, title text, detail text, start_time timestamp with time zone, timezone text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with words as (
    select private.search_patterns(p_text) as patterns
  )
  (
    select 'client', c.id, c.name, c.location, null::timestamptz, null::text
    from public.clients c
    where c.id in (select private.found_clients(w.patterns) from words w)
    order by c.name, c.id limit 21
  )
  union all
  (
    select 'site', s.id, s.name, concat_ws(', ', s.client_name, s.address), null, null
    from public.sites s
    where s.id in (select private.found_sites(w.patterns) from words w)
    order by s.name, s.id limit 21
  )
  union all
  (
    select 'guard', p.id, coalesce(nullif(p.full_name, ''), p.email, p.phone), coalesce(p.email, p.phone), null, null
    from public.profiles p
    where p.id in (select private.found_people(w.patterns) from words w)
      and p.id <> (select auth.uid())
    order by 3, p.id limit 21
  )
  union all
  (
    -- Including the last twelve hours: a night shift is still running in the morning.
    select 'shift', h.id, s.name, s.client_name, h.start_time, s.timezone
    from public.shifts h join public.sites s on s.id = h.site_id, words w
    where h.start_time > now() - interval '12 hours' and cardinality(w.patterns) > 0
      and (
        h.site_id in (
          select t.id from public.sites t, words v
          where private.folded(concat_ws(' ', t.name, t.client_name)) like all (v.patterns)
        )
        or h.notes is not null
          and private.folded(concat_ws(' ', s.name, s.client_name, h.notes)) like all (w.patterns)
      )
    order by h.start_time, h.id limit 21
  );
$function$;

create or replace FUNCTION public.search_text(client public.clients)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded((((client).name || ' '::text) || COALESCE((client).location, ''::text)));

create or replace FUNCTION public.search_text(shift public.shift_board)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (shift).site_name, (shift).client_name, (shift).notes));

create or replace FUNCTION public.search_text(person public.staff)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded((((((person).full_name || ' '::text) || COALESCE((person).email, ''::text)) || ' '::text) || COALESCE((person).phone, ''::text)));

create or replace FUNCTION public.search_text(a public.pay_adjustments)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.folded(concat_ws(e'\n', (select s.full_name from public.staff s where s.id = a.staff_id),
    (select p.full_name from public.profiles p where p.id = a.user_id), a.explanation));
$function$;

create or replace FUNCTION public.search_text(contract public.contracts)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (SELECT c.name FROM public.clients c WHERE (c.id = (search_text.contract).client_id)), (contract).title));

create or replace FUNCTION public.search_text(invoice public.invoices)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (SELECT c.name FROM public.clients c WHERE (c.id = (search_text.invoice).client_id)), (invoice).number));

create or replace FUNCTION public.staff_totals(p_search text DEFAULT NULL::text, p_status text DEFAULT NULL::text, p_currency text DEFAULT 'USD'::text)
 RETURNS TABLE(payment_frequency text, people integer, salaries numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select s.payment_frequency, count(*)::integer,
    coalesce(sum(s.salary_amount) filter (where s.pay_basis = 'salary'), 0)
  from public.search_staff(p_search) s
  where s.currency = p_currency and (p_status is null or s.status = p_status)
  group by s.payment_frequency order by 2 desc, 1;
$function$;

create or replace FUNCTION public.client_totals(p_search text DEFAULT NULL::text)
 RETURNS TABLE(client_count integer, total_guards integer, monthly_revenue numeric)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer, coalesce(sum(c.number_of_guards), 0)::integer, coalesce(sum(c.monthly_rate), 0)
  from public.clients c where public.search_text(c) like all ((select private.search_patterns(p_search))::text[]);
$function$;

create or replace FUNCTION public.search_shifts(p_search text DEFAULT ''::text, p_ends_after timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS SETOF public.shift_board
 LANGUAGE sql
 STABLE
AS $function$
  select b.* from public.shift_board b
  where (select private.is_search_within_limits(p_search, p_ends_after))
    and b.end_time > coalesce(p_ends_after, '-infinity')
    and b.start_time >= (select private.first_start(coalesce(p_ends_after, '-infinity')))
    and (coalesce(p_search, '') = ''
      or b.site_id in (
        select t.id from public.sites t
        where private.folded(concat_ws(' ', t.name, t.client_name))
          like all ((select private.search_patterns(p_search))::text[])
      )
      or b.notes is not null and public.search_text(b) like all ((select private.search_patterns(p_search))::text[])
      -- An asterisk may reach from the site to a guard; a word can't.
      or (position('*' in p_search) > 0 or b.id in (
        select a.shift_id from public.assignments a join public.profiles p on p.id = a.user_id
        where a.status <> 'cancelled'
          and a.starts_at >= (select private.first_start(coalesce(p_ends_after, '-infinity')))
          and private.folded(coalesce(nullif(p.full_name, ''), p.email))
            like any ((select private.search_patterns(p_search))::text[])
      )) and concat_ws(' ', public.search_text(b), (
        select private.folded(string_agg(coalesce(nullif(p.full_name, ''), p.email), ' '))
        from public.assignments a join public.profiles p on p.id = a.user_id
        where a.shift_id = b.id and a.status <> 'cancelled'
      )) like all ((select private.search_patterns(p_search))::text[]));
$function$;

create or replace FUNCTION public.week_guards(p_from date, p_site_id uuid DEFAULT NULL::uuid, p_search text DEFAULT ''::text)
 RETURNS TABLE(id uuid, name text, hours numeric, shifts integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select private.require_day(p_from, 'first day');
  with week as materialized (
    select private.company_midnight(p_from) as begins, private.company_midnight(p_from + 7) as ends
  ),
  work as materialized (
    select a.user_id,
      coalesce(sum(extract(epoch from upper(a.period) - lower(a.period)) / 3600)
        filter (where a.starts_at >= (select w.begins from week w) and a.counts_as_staffed), 0) as hours,
      (count(*) filter (where a.starts_at >= (select w.begins from week w) and a.counts_as_staffed))::integer as shifts
    from public.assignments a
    where a.starts_at >= (select w.begins from week w) - interval '28 days'
      and a.starts_at < (select w.ends from week w)
      and a.status <> 'cancelled' and (p_site_id is null or a.site_id = p_site_id)
    group by a.user_id
  )
  select p.id, coalesce(nullif(p.full_name, ''), p.email, ''), round(w.hours, 1), w.shifts
  from work w join public.profiles p on p.id = w.user_id
  where private.folded(concat_ws(' ', p.full_name, p.email))
    like all ((select private.search_patterns(p_search))::text[]);
$function$;

create or replace FUNCTION public.week_sites(p_site_id uuid DEFAULT NULL::uuid, p_search text DEFAULT ''::text)
 RETURNS SETOF public.sites
 LANGUAGE sql
 STABLE
AS $function$
  select s.* from public.sites s
  where (p_site_id is null or s.id = p_site_id)
    and private.folded(concat_ws(' ', s.name, s.client_name))
      like all ((select private.search_patterns(p_search))::text[]);
$function$;

create or replace FUNCTION public.roster_board(p_from date, p_to date, p_page integer DEFAULT 1, p_site uuid DEFAULT NULL::uuid, p_client text DEFAULT NULL::text, p_supervisor text DEFAULT NULL::text, p_q text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  per_page constant integer := 100;
  planned constant uuid[] := private.planned_sites(null);
  is_whole constant boolean := cardinality(planned) <= 200;
  matching uuid[];
  patterns text[];
  names jsonb;
begin
  if p_page is null or p_page not between 1 and 1000 then
    raise exception 'A page is a number from 1 to 1,000.' using errcode = 'invalid_parameter_value';
  end if;
  if greatest(length(p_client), length(p_supervisor), length(p_q)) > 300 then
    raise exception 'Search for at most 300 characters.' using errcode = 'invalid_parameter_value';
  end if;
  select jsonb_build_object(
    'clients', (
      select coalesce(jsonb_agg(distinct s.client_name order by s.client_name), '[]') from public.sites s
      where s.id = any (planned)
    ),
    'supervisors', (
      select coalesce(jsonb_agg(distinct b.name order by b.name), '[]') from private.site_supervisors b
      where b.site_id = any (planned)
    )
  ) into names;
  if is_whole then
    matching := planned;
  else
    patterns := private.search_patterns(coalesce(p_q, ''));
    matching := array(
      select s.id from public.sites s
      where s.id = any (planned) and (p_site is null or s.id = p_site)
        and (p_client is null or s.client_name = p_client)
        and (p_supervisor is null or exists (
          select from private.site_supervisors b where b.site_id = s.id and b.name = p_supervisor
        ))
        and (
          private.folded(concat_ws(E'\n', s.name, s.client_name)) like all (patterns)
          or exists (
            select from public.posts p
            where p.site_id = s.id
              and private.folded(concat_ws(E'\n', s.name, s.client_name, p.name)) like all (patterns)
          )
        )
      order by s.name, s.id
    );
  end if;
  return public.roster_input(
    p_from, p_to, case when is_whole then matching else matching[(p_page - 1) * per_page + 1:p_page * per_page] end
  ) || names || jsonb_build_object('sites_planned', cardinality(planned), 'sites_found', cardinality(matching));
end
$function$;

create or replace FUNCTION private.find_timesheets(p_from date, p_to date, p_search text, p_status text, p_issue text, p_site uuid, p_show text)
 RETURNS TABLE(sheet public.timesheets, full_name text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  perform private.require_day(p_from, 'start');
  perform private.require_day(p_to, 'end');
  return query
  select t, coalesce(nullif(p.full_name, ''), p.email, '')
  from public.timesheets t
  left join public.profiles p on p.id = t.user_id
  where t.period_start <= p_to and t.period_end >= p_from
    and (p_status is null or t.status = p_status)
    and (p_issue is null or p_issue = any (t.issues))
    and (p_site is null or p_site = any (t.site_ids))
    and (p_show is null or (p_show = 'issues') = (t.open_issues > 0))
    and private.folded(coalesce(nullif(p.full_name, ''), p.email, '')) like all (private.search_patterns(p_search));
end
$function$;

create or replace FUNCTION public.payroll_sums(p_search text DEFAULT NULL::text, p_status text DEFAULT NULL::text, p_start date DEFAULT NULL::date, p_end date DEFAULT NULL::date, p_currency text DEFAULT 'USD'::text)
 RETURNS TABLE(records integer, base numeric, deductions numeric, bonuses numeric, net numeric, cancelled integer)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with named as materialized (
    select s.id from public.staff s
    where coalesce(p_search, '') <> ''
      and public.search_name(s) like all ((select private.search_patterns(p_search))::text[])
  ), found as (
    select p.payment_status, p.base_amount as base, p.deductions, p.bonuses, p.net_amount as net
    from public.payroll p
    where p.currency = p_currency
      and (p_start is null or p.period_start = p_start) and (p_end is null or p.period_end = p_end)
      -- A hashed set of ids, read once. Without a search everybody is meant, and the names are not read.
      and (coalesce(p_search, '') = '' or p.staff_id in (select n.id from named n))
  ), counted as (
    select f.*, p_status is not null or f.payment_status <> 'cancelled' as counts
    from found f where p_status is null or f.payment_status = p_status
  )
  select (count(*) filter (where c.counts))::integer,
    coalesce(sum(c.base) filter (where c.counts), 0), coalesce(sum(c.deductions) filter (where c.counts), 0),
    coalesce(sum(c.bonuses) filter (where c.counts), 0), coalesce(sum(c.net) filter (where c.counts), 0),
    (count(*) filter (where not c.counts))::integer
  from counted c;
$function$;

CREATE INDEX incidents_search_idx ON public.incidents USING gin (private.folded(((title || ' '::text) || description)) extensions.gin_trgm_ops) WITH (fastupdate=off);

CREATE INDEX clients_search_idx ON public.clients USING gin (private.folded(((name || ' '::text) || COALESCE(location, ''::text))) extensions.gin_trgm_ops) WITH (fastupdate=off);

CREATE INDEX sites_search_idx ON public.sites USING gin (private.folded(((((name || ' '::text) || COALESCE(client_name, ''::text)) || ' '::text) || COALESCE(address, ''::text))) extensions.gin_trgm_ops) WITH (fastupdate=off);

CREATE INDEX staff_search_idx ON public.staff USING gin (private.folded(((((full_name || ' '::text) || COALESCE(email, ''::text)) || ' '::text) || COALESCE(phone, ''::text))) extensions.gin_trgm_ops) WITH (fastupdate=off);

CREATE INDEX profiles_search_idx ON public.profiles USING gin (private.folded(((((COALESCE(full_name, ''::text) || ' '::text) || COALESCE(email, ''::text)) || ' '::text) || COALESCE(phone, ''::text))) extensions.gin_trgm_ops) WITH (fastupdate=off);

grant execute on function private.folded(text) to authenticated;

grant execute on function private.folded(text) to service_role;

grant execute on function public.search_text(public.sites) to authenticated;

grant execute on function public.search_text(public.posts) to authenticated;

grant execute on function public.search_text(public.newest_post_orders) to authenticated;

grant execute on function public.search_site(public.shift_board) to authenticated;

grant execute on function public.search_text(public.deployments) to authenticated;

grant execute on function public.search_text(public.attendance_overview) to authenticated;

grant execute on function public.search_text(public.leave_overview) to authenticated;

grant execute on function public.search_text(public.contact_messages) to authenticated;

grant execute on function public.search_text(public.profiles) to authenticated;

grant execute on function public.search_text(public.user_accounts) to authenticated;

grant execute on function public.search_name(public.staff) to authenticated;

grant execute on function private.longest(text[]) to authenticated;

grant execute on function private.found_clients(text[]) to authenticated;

grant execute on function private.found_sites(text[]) to authenticated;

grant execute on function private.found_people(text[]) to authenticated;

grant execute on function private.found_staff(text[]) to authenticated;

grant execute on function public.search_staff(text) to authenticated;

grant execute on function private.found_incidents(text[]) to authenticated;

grant execute on function public.search_incidents(text) to authenticated;
