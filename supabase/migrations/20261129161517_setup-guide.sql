drop function public.dashboard_start(integer);

create FUNCTION public.dashboard_start(p_hours integer DEFAULT 12)
 RETURNS TABLE(required integer, on_post integer, late integer, missing integer, uncovered integer, next_required integer, next_missing integer, gaps_now integer, gaps_next integer, gaps jsonb, leave_pending integer, leave_soon integer, attendance_to_review integer, forgotten_clock_outs integer, new_enquiries integer, expired_certificates integer, expiring_certificates integer, setup text)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  ahead constant interval := make_interval(hours => least(greatest(coalesce(p_hours, 12), 1), 72));
  -- Rows of each list; the counts tell how many there are in all.
  shown constant integer := 6;
  earliest constant timestamptz := private.first_start(now());
  today constant date := private.company_date();
begin
  if not private.has_role('admin', 'ops_manager', 'supervisor') and private.supervised_sites() = '{}' then
    raise exception 'The dashboard is for admins, operations managers and supervisors.'
      using errcode = 'insufficient_privilege';
  end if;

  with shift as materialized (
    select s.id, s.site_id, s.start_time, s.end_time, s.required_headcount as needed,
      s.start_time <= now() as is_running
    from public.shifts s
    where s.start_time >= earliest and s.start_time <= now() + ahead and s.end_time > now()
  ),
  work as materialized (
    -- An assignment starts with its shift, or later in it, when a replacement joins.
    select a.shift_id, count(*) filter (where a.counts_as_staffed)::integer as assigned,
      count(*) filter (where a.attendance_state = 'in')::integer as present,
      count(*) filter (where e.awaited <= now())::integer as late,
      count(*) filter (where e.awaited <= now() - make_interval(mins => t.alert_after_minutes))::integer as gone,
      -- On the way: replacements who join later.
      count(*) filter (where e.awaited > now())::integer as coming
    from public.assignments a
    join public.sites t on t.id = a.site_id
    cross join lateral (
      select case when a.counts_as_staffed and a.attendance_state = 'none'
        then private.expected_at(a.starts_at, a.created_at) end as awaited
    ) e
    where a.starts_at >= earliest and a.starts_at <= now() + ahead + (now() - earliest) and upper(a.period) > now()
      and a.status <> 'cancelled'
    group by a.shift_id
  ),
  post as materialized (
    select s.*, coalesce(w.assigned, 0) as assigned, coalesce(w.present, 0) as present, coalesce(w.late, 0) as late,
      coalesce(w.gone, 0) as gone,
      greatest(s.needed - case when s.is_running then coalesce(w.present + w.late + w.coming, 0)
        else coalesce(w.assigned, 0) end, 0)
        as missing
    from shift s
    left join work w on w.shift_id = s.id
  ),
  gap as (
    select p.*, row_number() over (
      partition by p.is_running order by (p.missing > 0) desc, p.start_time, p.missing desc, p.id
    ) as place
    from post p
    where p.missing > 0 or p.is_running and p.late > 0
  ),
  listed as (
    select g.*, t.name as site_name, t.client_name, t.timezone, (
      select coalesce(jsonb_agg(coalesce(nullif(p.full_name, ''), p.email) order by p.full_name), '[]')
      from public.assignments a join public.profiles p on p.id = a.user_id
      where a.shift_id = g.id and g.is_running and a.counts_as_staffed and a.attendance_state = 'none'
        and private.expected_at(a.starts_at, a.created_at) <= now()
    ) as late_guards
    from gap g join public.sites t on t.id = g.site_id
    where g.place <= shown
  )
  select coalesce(sum(p.needed) filter (where p.is_running), 0),
    coalesce(sum(p.present) filter (where p.is_running), 0),
    coalesce(sum(p.late - p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.gone) filter (where p.is_running), 0),
    coalesce(sum(p.missing) filter (where p.is_running), 0),
    coalesce(sum(p.needed) filter (where not p.is_running), 0),
    coalesce(sum(p.missing) filter (where not p.is_running), 0),
    (select count(*) from gap g where g.is_running),
    (select count(*) from gap g where not g.is_running),
    (select coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'site_name', l.site_name, 'client_name', l.client_name, 'timezone', l.timezone,
        'start_time', l.start_time, 'end_time', l.end_time, 'is_running', l.is_running,
        'required', l.needed, 'missing', l.missing, 'late', l.late, 'late_guards', l.late_guards
      ) order by l.is_running desc, l.place), '[]')
      from listed l)
  into required, on_post, late, missing, uncovered, next_required, next_missing, gaps_now, gaps_next, gaps from post p;

  select count(*) into attendance_to_review from public.attendance r where r.needs_review;
  select count(*) into forgotten_clock_outs
  from public.attendance r join public.assignments a on a.id = r.assignment_id
  where r.clock_out_at is null and upper(a.period) <= now() - private.clock_out_grace();

  if private.has_role('admin', 'ops_manager') then
    select count(*), count(*) filter (where l.start_date <= today + 3)
    into leave_pending, leave_soon from public.leave_requests l where l.status = 'pending';
    select count(*) into new_enquiries from public.contact_messages m where m.state = 'new';
    select count(*) filter (where c.expires_at < now()), count(*) filter (where c.expires_at >= now())
    into expired_certificates, expiring_certificates
    from public.certifications c where c.expires_at <= now() + make_interval(days => private.expiring_days());
  end if;
  setup := private.setup_phase();
  return next;
end
$function$;

comment on function public.dashboard_start(integer) is 'Nullable: leave_pending, leave_soon, new_enquiries, expired_certificates, expiring_certificates, setup';

revoke all on function public.dashboard_start(integer) from public;

grant execute on function public.dashboard_start(integer) to authenticated;

create table public.setup_marks ();

alter table public.setup_marks add column step text not null;

alter table public.setup_marks add column mark text not null;

alter table public.setup_marks add column id uuid default gen_random_uuid() not null;

alter table public.setup_marks add column marked_by uuid default auth.uid();

alter table public.setup_marks add column marked_at timestamp with time zone default now() not null;

alter table private.settings add column backed_up_at timestamp with time zone;

CREATE OR REPLACE FUNCTION private.setup_steps()
 RETURNS TABLE(place integer, step text, done boolean, count bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select s.place, s.step,
    s.count >= s.enough or exists (
      select from public.setup_marks m where m.step = s.step and m.mark = 'confirmed'
    ), s.count
  from (values
    (1, 'company', 1, 0),
    (2, 'clients', 1, (select count(*) from public.clients)),
    (3, 'sites', 1, (select count(*) from public.sites)),
    (4, 'guards', 1, (select count(distinct r.user_id) from public.user_roles r where r.role = 'guard')),
    (5, 'posts', 1, (
      select count(*) from public.posts p
      where exists (select from public.post_requirements r where r.post_id = p.id)
    )),
    (6, 'roster_rules', 2, (select count(*) from public.rule_sets)),
    (7, 'roster', 1, (select count(*) from public.roster_periods p where p.publications > 0)),
    (8, 'time_rules', 2, (select count(*) from public.time_rules)),
    (9, 'contracts', 1, (select count(*) from public.contracts)),
    (10, 'pay_rules', 1, (select count(*) from public.pay_runs p where p.status in ('locked', 'paid'))),
    (11, 'bank_formats', 1, (select count(*) from public.payment_files)),
    (12, 'office', 2, (select count(distinct r.user_id) from public.user_roles r where r.role <> 'guard')),
    (13, 'messages', 1, 0),
    (14, 'backup', 1, (select count(p.backed_up_at) from private.settings p))
  ) s (place, step, enough, count);
$function$;

CREATE OR REPLACE FUNCTION public.setup_state()
 RETURNS TABLE(step text, done boolean, count bigint, mark text, marked_by text, marked_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  return query
  select s.step, s.done, s.count, m.mark, private.name_of_person(m.marked_by), m.marked_at
  from private.setup_steps() s
  left join public.setup_marks m on m.step = s.step
  order by s.place;
end
$function$;

CREATE OR REPLACE FUNCTION private.setup_phase()
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select case
    when not private.has_role('admin') then null
    when not exists (
      select from private.setup_steps() s
      where not s.done and not exists (select from public.setup_marks m where m.step = s.step)
    ) then null
    when exists (select from public.assignments) then 'open'
    else 'first'
  end;
$function$;

CREATE OR REPLACE FUNCTION public.mark_setup_step(p_step text, p_mark text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  if not exists (select from private.setup_steps() s where s.step = p_step) then
    raise exception 'The setup has no such step.' using errcode = 'invalid_parameter_value';
  end if;
  if p_mark is null then
    delete from public.setup_marks m where m.step = p_step;
    return;
  end if;
  insert into public.setup_marks as m (step, mark) values (p_step, p_mark)
  on conflict (step) do update set mark = excluded.mark, marked_by = excluded.marked_by, marked_at = excluded.marked_at
  where m.mark <> excluded.mark;
end
$function$;

CREATE OR REPLACE FUNCTION public.send_test_message()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_admin();
  perform private.notify(auth.uid(), 'test', 'Test message', 'Messages of the company reach you this way.',
    '/admin/system', 'test:' || auth.uid() || to_char(now(), ':YYYYMMDDHH24MI'));
  perform private.send_at_once(array[auth.uid()]);
end
$function$;

CREATE OR REPLACE FUNCTION public.test_message_state()
 RETURNS TABLE(channel text, obstacle text, state text, at timestamp with time zone, problem text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  last_test uuid;
begin
  perform private.require_admin();
  select n.id into last_test from public.notices n
  where n.user_id = auth.uid() and n.kind = 'test' order by n.created_at desc limit 1;
  return query
  select way.channel, way.obstacle, d.state, coalesce(d.sent_at, d.created_at), d.last_error
  from public.profiles p
  cross join private.settings s
  left join private.notice_settings w on w.user_id = p.id
  cross join lateral (values
    ('email', case when p.email is null then 'no_address' when not coalesce(w.email, true) then 'off' end),
    ('sms', case when not s.text_messages then 'no_gateway' when p.phone is null then 'no_address'
      when not coalesce(w.sms, false) then 'off' end)
  ) way (channel, obstacle)
  left join lateral (
    select * from private.notice_deliveries d
    where d.user_id = p.id and d.channel = way.channel and last_test = any (d.notice_ids)
    order by d.created_at desc limit 1
  ) d on true
  where p.id = auth.uid();
end
$function$;

alter table public.setup_marks add constraint setup_marks_step_check CHECK ((step = ANY (ARRAY['company'::text, 'clients'::text, 'sites'::text, 'guards'::text, 'posts'::text, 'roster_rules'::text, 'roster'::text, 'time_rules'::text, 'contracts'::text, 'pay_rules'::text, 'bank_formats'::text, 'office'::text, 'messages'::text, 'backup'::text])));

alter table public.setup_marks add constraint setup_marks_mark_check CHECK ((mark = ANY (ARRAY['confirmed'::text, 'later'::text])));

alter table public.setup_marks add constraint setup_marks_confirm_settings CHECK (((mark = 'later'::text) OR (step = ANY (ARRAY['company'::text, 'roster_rules'::text, 'time_rules'::text, 'pay_rules'::text, 'bank_formats'::text, 'messages'::text, 'backup'::text]))));

alter table public.setup_marks add constraint setup_marks_pkey PRIMARY KEY (id);

alter table public.setup_marks add constraint setup_marks_step_key UNIQUE (step);

alter table public.setup_marks add constraint setup_marks_marked_by_fkey FOREIGN KEY (marked_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

CREATE INDEX setup_marks_marked_by_idx ON public.setup_marks USING btree (marked_by);

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.setup_marks REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.setup_marks REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.setup_marks REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

create policy "Admins read how far the setup is" on public.setup_marks for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text]) AS has_role));

alter table public.setup_marks enable row level security;

alter table public.setup_marks replica identity default;

grant SELECT on public.setup_marks to authenticated;


grant execute on function public.setup_state() to authenticated;

grant execute on function private.setup_phase() to authenticated;

grant execute on function public.mark_setup_step(text,text) to authenticated;

grant execute on function public.send_test_message() to authenticated;

grant execute on function public.test_message_state() to authenticated;

comment on function public.setup_state() is 'Nullable: mark, marked_by, marked_at';

comment on function public.test_message_state() is 'Nullable: obstacle, state, at, problem';

-- A company that works already has met its settings: the guide is for new ones.
insert into public.setup_marks (step, mark)
select s.step, 'later' from private.setup_steps() s
where not s.done and exists (select from public.assignments);
