create or replace FUNCTION public.answer_assignment(p_assignment_id uuid, p_answer text, p_reason text DEFAULT NULL::text, p_event_id uuid DEFAULT gen_random_uuid())
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  me uuid := auth.uid();
  reason text := left(nullif(btrim(p_reason), ''), 500);
  known private.assignment_answers;
  mine public.assignments;
begin
  perform private.require_member();
  if p_assignment_id is null or p_event_id is null or p_answer is null
    or p_answer not in ('confirm', 'decline', 'undo')
  then
    raise exception 'An answer is confirm, decline or undo.' using errcode = 'invalid_parameter_value';
  end if;
  if p_answer = 'decline' and reason is null then
    raise exception 'Give a reason, so that your supervisor can find another guard.' using errcode = 'check_violation';
  end if;
  -- Shift before person: the order in which an assignment is written.
  perform from public.shifts s
  where s.id = (select a.shift_id from public.assignments a where a.id = p_assignment_id and a.user_id = me) for share;
  perform pg_advisory_xact_lock(hashtextextended(me::text, 0));
  select * into mine from public.assignments a where a.id = p_assignment_id and a.user_id = me;
  select * into known from private.assignment_answers w where w.event_id = p_event_id;
  if found then
    if (known.user_id, known.assignment_id, known.answer) is distinct from (me, p_assignment_id, p_answer) then
      raise exception 'This id belongs to another answer.' using errcode = 'unique_violation';
    end if;
    return coalesce(mine.status, 'cancelled');
  end if;
  if mine.id is null then
    raise exception 'This shift is no longer yours.' using errcode = 'PT404';
  end if;
  insert into private.assignment_answers (event_id, assignment_id, user_id, answer)
  values (p_event_id, p_assignment_id, me, p_answer);

  if mine.starts_at <= now() or mine.attendance_state <> 'none' or mine.status in ('completed', 'no_show') then
    if p_answer = 'confirm' then
      -- Sent late by a phone without a signal; clocking in has answered it.
      return mine.status;
    end if;
    raise exception 'This shift has already started. Call the control room.' using errcode = 'PT409';
  end if;
  if mine.status = 'cancelled' then
    if p_answer = 'decline' then
      return mine.status;
    end if;
    raise exception 'This shift has been cancelled.' using errcode = 'PT409';
  end if;

  if p_answer = 'confirm' then
    update public.assignments a set status = 'confirmed', confirmed_at = coalesce(a.confirmed_at, now())
    where a.id = mine.id;
    return 'confirmed';
  elsif p_answer = 'undo' then
    update public.assignments a set status = 'assigned', confirmed_at = null where a.id = mine.id;
    return 'assigned';
  end if;
  update public.assignments a
  set status = 'cancelled', declined_at = now(), declined_reason = reason, confirmed_at = null where a.id = mine.id;
  perform private.notify(f.user_id, 'declined', format('%s declined a shift', private.name_of_person(me)),
    format('%s. Reason: %s', private.shift_text(mine.shift_id), reason),
    '/admin/shifts?open=' || mine.shift_id || '&tab=replacement', 'declined:' || p_event_id || ':' || f.user_id)
  from (select p.user_id from private.fillers_of(array[mine.site_id]) p order by 1) f;
  return 'cancelled';
end
$function$;

create table private.emptied_seats ();

alter table private.emptied_seats add column id bigint generated always as identity not null;

alter table private.emptied_seats add column shift_id uuid not null;

alter table private.emptied_seats add column user_id uuid not null;

alter table private.emptied_seats add column reason text not null;

CREATE OR REPLACE FUNCTION private.fillers_of(p_sites uuid[])
 RETURNS TABLE(site_id uuid, user_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select p.site_id, p.user_id from private.planners_of(p_sites) p
  union
  select w.site_id, r.user_id from unnest(p_sites) w (site_id)
  join public.user_roles r on r.role = 'ops_manager' and r.user_id is distinct from auth.uid();
$function$;

CREATE OR REPLACE FUNCTION private.note_empty_seats()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.emptied_seats (shift_id, user_id, reason)
  select o.shift_id, o.user_id, case
      when n.status = 'no_show' then 'marked as no-show'
      when n.status = 'cancelled' then 'cancelled'
      else 'on leave'
    end
  from old_rows o
  join new_rows n on n.id = o.id
  where o.counts_as_staffed and not n.counts_as_staffed and n.declined_at is null
    and o.starts_at > now() and auth.role() is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.note_removed_seats()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.emptied_seats (shift_id, user_id, reason)
  select o.shift_id, o.user_id, 'unassigned' from old_rows o
  where o.counts_as_staffed and o.starts_at > now() and auth.role() is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_empty_seats()
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
        else format('/admin/roster?gaps=open&week=%s%s', (min(s.start_time) at time zone zone)::date,
          case when date_trunc('week', min(s.start_time) at time zone zone)
            < date_trunc('week', max(s.start_time) at time zone zone) then '&weeks=4' end)
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

alter table private.emptied_seats add constraint emptied_seats_pkey PRIMARY KEY (id);

CREATE TRIGGER seats_empty AFTER UPDATE ON public.assignments REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.note_empty_seats();

CREATE TRIGGER seats_empty_of_removals AFTER DELETE ON public.assignments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.note_removed_seats();

CREATE CONSTRAINT TRIGGER tell_of_empty_seats AFTER INSERT ON private.emptied_seats DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION private.tell_of_empty_seats();

alter table private.emptied_seats enable row level security;

alter table private.emptied_seats replica identity default;
