-- What contacts of clients see of their own sites. Definer functions, because contacts read no table of the company: each
-- one starts from the sites of the caller's clients.

create function private.client_sites() returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select s.id from public.sites s where s.client_id = any (private.client_of_caller()));
end
$$;

-- Who is at the posts now: the guards needed, and those who have clocked in, by first name. A site where nobody is due has
-- one row without a post, with the time of its next shift.
create function public.client_now() returns table (
  site_id uuid, site_name text, address text, timezone text, post_id uuid, post_name text, required integer,
  guards jsonb, next_at timestamptz
)
language sql stable security definer set search_path = '' as $$
  with own as materialized (
    select t.id, t.name, t.address, t.timezone from public.sites t
    where t.id = any ((select private.client_sites())::uuid[])
  ), due as materialized (
    -- Guards who come early count as there, although their shift has not begun.
    select s.id, s.site_id, s.post_id, case when s.start_time <= now() then s.required_headcount else 0 end as required
    from own o join public.shifts s on s.site_id = o.id
    where s.end_time > now() and s.start_time < now() + interval '1 hour'
  ), present as (
    select d.site_id, d.post_id, jsonb_build_object(
      'name', coalesce(nullif(split_part(btrim(p.full_name), ' ', 1), ''), 'Guard'), 'since', r.clock_in_at
    ) as guard
    from due d
    join public.assignments a on a.shift_id = d.id and a.status <> 'cancelled'
    join public.attendance r on r.assignment_id = a.id and r.clock_out_at is null
    join public.profiles p on p.id = a.user_id
  ), places as (
    select d.site_id, d.post_id, sum(d.required)::integer as required, coalesce((
      select jsonb_agg(p.guard order by p.guard ->> 'since', p.guard ->> 'name') from present p
      where p.site_id = d.site_id and p.post_id is not distinct from d.post_id
    ), '[]') as guards
    from due d
    group by d.site_id, d.post_id
  )
  select o.id, o.name, o.address, o.timezone, l.post_id, t.name, coalesce(l.required, 0), coalesce(l.guards, '[]'),
    case when l.site_id is null then (
      select min(s.start_time) from public.shifts s where s.site_id = o.id and s.start_time > now()
    ) end
  from own o
  left join places l on l.site_id = o.id and (l.required > 0 or l.guards <> '[]')
  left join public.posts t on t.id = l.post_id
  order by o.name, o.id, t.name nulls last, l.post_id;
$$;
comment on function public.client_now is 'Nullable: post_id, post_name, next_at';

-- Coverage of the caller's sites in days of the company, at most 92: by day, and by site and post. Minutes of guards; late
-- is a part of uncovered.
create function public.client_coverage("from" date, "to" date) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  answer jsonb;
begin
  perform private.require_day(client_coverage."from", 'start');
  perform private.require_day(client_coverage."to", 'end');
  if client_coverage."to" < client_coverage."from" or client_coverage."to" - client_coverage."from" > 91 then
    raise exception 'Give a start before the end, at most 92 days apart.' using errcode = 'invalid_parameter_value';
  end if;
  with found as materialized (
    select * from private.coverage_of(private.client_sites(), client_coverage."from", client_coverage."to")
  ), sums as (
    select c.day, c.site_id, c.post_id, grouping(c.day) as by_post,
      sum(c.required_minutes) as required, sum(c.worked_minutes) as worked, sum(c.uncovered_minutes) as uncovered,
      sum(c.late_minutes) as late, sum(c.overstaffed_minutes) as overstaffed
    from found c
    group by grouping sets ((c.day), (c.site_id, c.post_id))
  ), rows as (
    select s.by_post, s.day, t.name as site, p.name as post, jsonb_build_object(
      'required', s.required, 'worked', s.worked, 'uncovered', s.uncovered, 'late', s.late, 'overstaffed', s.overstaffed
    ) || case s.by_post
      when 0 then jsonb_build_object('day', s.day)
      else jsonb_build_object('site_id', s.site_id, 'site', t.name, 'post_id', s.post_id, 'post', p.name)
    end as entry
    from sums s
    left join public.sites t on t.id = s.site_id
    left join public.posts p on p.id = s.post_id
  )
  select jsonb_build_object(
    'days', coalesce(jsonb_agg(r.entry order by r.day) filter (where r.by_post = 0), '[]'),
    'posts', coalesce(jsonb_agg(r.entry order by r.site, r.post) filter (where r.by_post = 1), '[]')
  ) into answer
  from rows r;
  return answer;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.client_now, public.client_coverage from public, anon;
grant execute on function public.client_now, public.client_coverage to authenticated;
