create or replace FUNCTION private.tell_of_empty_seats()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  zone constant text := (select s.time_zone from private.settings s);
begin
  -- The first row speaks for all.
  if not exists (select from private.emptied_seats e where e.id = new.id) then
    return null;
  end if;
  perform private.notify(n.user_id, 'empty_seats', n.title, n.body, n.link,
    format('empty_seats:%s:%s', pg_current_xact_id(), n.user_id))
  from (
    with seat as materialized (
      select s.id as shift_id, s.site_id, t.name, s.start_time,
        format('%s: %s, %s', private.duty_text(s.site_id, s.start_time, s.end_time), private.name_of_person(e.user_id),
          case when p.left_on is null then e.reason else 'employment ended' end) as line
      from (
        select l.*, row_number() over (partition by l.shift_id order by l.id) as place
        from private.emptied_seats l
        where not exists (
          select from public.assignments a
          where a.shift_id = l.shift_id and a.user_id = l.user_id and a.counts_as_staffed
        )
      ) e
      join public.shifts s on s.id = e.shift_id
      join public.sites t on t.id = s.site_id
      join public.profiles p on p.id = e.user_id
      -- No more than are empty: the shift may have had more guards than it needs.
      where e.place <= s.required_headcount - (
        select count(*) from public.assignments a where a.shift_id = s.id and a.counts_as_staffed
      )
    )
    select f.user_id, case
        when count(*) = 1 then 'A seat is empty: ' || min(s.name)
        when count(distinct s.site_id) = 1 then format('%s seats are empty: %s', count(*), min(s.name))
        else format('%s seats are empty at %s sites', count(*), count(distinct s.site_id))
      end as title,
      string_agg(s.line, e'\n' order by s.start_time, s.line) as body,
      case when count(distinct s.shift_id) = 1
        then format('/admin/shifts?open=%s&tab=replacement', (array_agg(s.shift_id))[1])
        else format('/admin/roster?gaps=open&week=%s%s%s', (min(s.start_time) at time zone zone)::date,
          case when date_trunc('week', min(s.start_time) at time zone zone)
            < date_trunc('week', max(s.start_time) at time zone zone) then '&weeks=4' end,
          case when count(distinct s.site_id) = 1 then '&site=' || (array_agg(s.site_id))[1] end)
      end as link
    from seat s
    join private.fillers_of(array(select distinct s.site_id from seat s)) f on f.site_id = s.site_id
    group by f.user_id
    -- In order, so that two at once never deadlock.
    order by f.user_id
  ) n;
  delete from private.emptied_seats;
  return null;
end
$function$;
