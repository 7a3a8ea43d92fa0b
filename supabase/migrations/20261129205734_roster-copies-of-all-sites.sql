CREATE OR REPLACE FUNCTION public.roster_copies(p_from date, p_to date)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  chosen uuid[] := private.planned_sites(null);
  zone text := (select s.time_zone from private.settings s);
  person uuid;
  obstacle text;
  copied tstzrange[];
  planned record;
  copies jsonb[];
begin
  if p_from is null or p_to is null or p_from = p_to or abs(p_to - p_from) > private.copy_limit_days() then
    raise exception 'Choose two different weeks, at most a year apart.' using errcode = 'check_violation';
  end if;
  for planned in
    with week as (
      select s as shift, s.id, s.site_id, s.start_time, t.name, t.timezone,
        s.start_time < private.company_midnight(p_from + 7)
        and s.start_time >= private.company_midnight(p_from) as is_source,
        -- Two shifts at the same time are told apart by their notes, then by their order.
        row_number() over (
          partition by s.site_id, s.post_id, s.start_time, s.end_time, s.notes order by s.id
        ) as place
      from public.shifts s join public.sites t on t.id = s.site_id
      where s.site_id = any (chosen) and (
        s.start_time >= private.company_midnight(p_from) and s.start_time < private.company_midnight(p_from + 7)
        or s.start_time >= private.company_midnight(p_to) and s.start_time < private.company_midnight(p_to + 7)
      )
    )
    select target.id, target.shift, d.user_id, target.name, target.timezone, target.start_time,
      coalesce(nullif(p.full_name, ''), p.email, '') as person_name
    from week source
    join week target on target.site_id = source.site_id and not target.is_source and target.place = source.place
      and (target.shift).post_id is not distinct from (source.shift).post_id
      and (target.shift).notes is not distinct from (source.shift).notes
      and target.start_time at time zone target.timezone
        = source.start_time at time zone source.timezone + make_interval(days => p_to - p_from)
      and (target.shift).end_time at time zone target.timezone
        = (source.shift).end_time at time zone source.timezone + make_interval(days => p_to - p_from)
    -- Also who is on leave or did not come: that says nothing about the other week.
    join private.drafted_duties d on d.shift_id = source.id
    join public.profiles p on p.id = d.user_id
    where source.is_source and target.start_time > now()
      and not exists (
        select from private.drafted_duties o where o.shift_id = target.id and o.user_id = d.user_id
      )
    order by d.user_id, target.start_time, target.id
  loop
    if planned.user_id is distinct from person then
      person := planned.user_id;
      copied := '{}';
    end if;
    select string_agg(b.message, '; ') into obstacle from (
      select d.message from private.duty_problems(
        person, planned.start_time, (planned.shift).end_time, copied || array(
          select o.period from private.drafted_duties o
          where o.user_id = person and o.starts_at > planned.start_time - interval '16 days'
            and o.starts_at < planned.start_time + interval '16 days'
        ), zone) d
      union all
      select e.message from private.eligibility_problems(person, planned.shift) e
      union all
      select 'No longer a guard'
      where not exists (select from public.user_roles r where r.user_id = person and r.role = 'guard')
    ) b;
    if obstacle is null then
      copied := copied || tstzrange(planned.start_time, (planned.shift).end_time);
    end if;
    copies := copies || jsonb_build_object('shift_id', planned.id, 'user_id', person, 'name', planned.person_name,
      'site', planned.name, 'zone', planned.timezone, 'start', planned.start_time, 'obstacle', obstacle);
  end loop;
  return (
    with copy as (
      select c ->> 'shift_id' as shift_id, c, c ->> 'name' as guard, c ->> 'obstacle' as obstacle
      from unnest(copies) c
    ),
    ranked as (
      select c.*, row_number() over (
        partition by c.shift_id order by c.obstacle is not null, c.guard, c.c ->> 'user_id'
      ) as place
      from copy c
    ),
    seats as (
      select s.id::text as shift_id, s.required_headcount - (
        select count(*) from private.drafted_duties d where d.shift_id = s.id and d.fills_seat
      ) as open
      from public.shifts s where s.id in (select c.shift_id::uuid from copy c)
    )
    select coalesce(jsonb_agg(r.c || jsonb_build_object(
      'obstacle', coalesce(r.obstacle, case when r.place > s.open then 'The shift has its guards' end)
    ) order by r.guard, r.c ->> 'start', r.shift_id), '[]')
    from ranked r join seats s on s.shift_id = r.shift_id
  );
end
$function$;

grant execute on function public.roster_copies(date,date) to authenticated;

drop function public.roster_copies(date,date,uuid[]);
