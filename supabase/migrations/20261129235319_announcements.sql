create or replace FUNCTION private.delivery_statement(p_call text, p_values jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  names text[] := array(select jsonb_object_keys(p_values));
  listed text;
  passed text;
begin
  if p_call = any (array['incidents', 'report_notes', 'leave_requests', 'timesheet_disputes']) then
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into listed
    from pg_catalog.pg_attribute a
    where a.attrelid = ('public.' || p_call)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname = any (names);
    return format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_record(null::public.%1$I, $1)
      on conflict (id) do nothing', p_call, listed);
  end if;
  if p_call = any (array['record_clock_event', 'raise_sos', 'cancel_sos', 'answer_welfare_check', 'answer_assignment',
    'confirm_post_orders', 'record_muster', 'mark_no_show', 'undo_no_show', 'leave_note', 'take_over', 'answer_offer',
    'record_scans', 'confirm_announcement'])
  then
    select string_agg(format('%I %s', a.name, format_type(a.type, null)), ', '),
      string_agg(format('%1$I => x.%1$I', a.name), ', ')
    into listed, passed
    from pg_catalog.pg_proc p, unnest(p.proargnames[:p.pronargs], p.proargtypes::oid[]) a (name, type)
    where p.pronamespace = 'public'::regnamespace and p.proname = p_call and a.name = any (names);
    return format('select from jsonb_to_record($1) x (%s), public.%I(%s)', listed, p_call, passed);
  end if;
  raise exception 'This can''t be delivered without signing in.' using errcode = 'PT403';
end
$function$;

create table public.announcements ();

create table public.announcement_readings ();

alter table public.announcements add column title text not null;

alter table public.announcements add column body text not null;

alter table public.announcements add column audience text not null;

alter table public.announcements add column region text;

alter table public.announcements add column counties text[];

alter table public.announcements add column site_id uuid;

alter table public.announcements add column role text;

alter table public.announcements add column last_day date not null;

alter table public.announcements add column created_by uuid;

alter table public.announcements add column withdrawn_at timestamp with time zone;

alter table public.announcements add column withdrawn_by uuid;

alter table public.announcements add column id uuid default gen_random_uuid() not null;

alter table public.announcements add column must_read boolean default false not null;

alter table public.announcements add column version integer default 1 not null;

alter table public.announcements add column created_at timestamp with time zone default now() not null;

alter table public.announcements add column updated_at timestamp with time zone default now() not null;

alter table public.announcement_readings add column announcement_id uuid not null;

alter table public.announcement_readings add column user_id uuid not null;

alter table public.announcement_readings add column version integer not null;

alter table public.announcement_readings add column read_at timestamp with time zone not null;

alter table public.announcement_readings add column id uuid default gen_random_uuid() not null;

alter table public.announcement_readings add column received_at timestamp with time zone default now() not null;

CREATE OR REPLACE FUNCTION private.announcement_days_max()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN 366;

CREATE OR REPLACE FUNCTION private.require_announcer()
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.has_role('admin', 'ops_manager', 'hr') then
    raise exception 'Only admins, operations managers and HR may do this.' using errcode = 'insufficient_privilege';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.audience_days()
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN 14;

CREATE OR REPLACE FUNCTION private.addressees_of(p_audience text, p_counties text[], p_site uuid, p_role text, p_author uuid, p_person uuid DEFAULT NULL::uuid)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  return query
    select p.id
    from public.profiles p
    join auth.users u on u.id = p.id
    where (p_person is null or p.id = p_person) and p.id is distinct from p_author
      and (p.left_on is null or p.left_on >= private.company_date())
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      and not exists (select from private.client_accounts c where c.user_id = p.id)
      and (
        p_audience in ('everybody', 'role') and exists (
          select from public.user_roles r where r.user_id = p.id and (p_role is null or r.role = p_role)
        )
        or p.home_region = any (p_counties)
        or p.id in (
          select a.user_id from public.assignments a
          join public.sites t on t.id = a.site_id
          where (p_person is null or a.user_id = p_person)
            and (p_audience = 'everybody' or t.id = p_site or t.county = any (p_counties))
            and a.status <> 'cancelled' and a.starts_at between now() - make_interval(days => private.audience_days())
              and now() + make_interval(days => private.audience_days())
          union all
          select r.user_id from public.user_roles r
          join public.sites t on t.id = r.site_id
          where (p_person is null or r.user_id = p_person) and (t.id = p_site or t.county = any (p_counties))
        )
      );
end
$function$;

CREATE OR REPLACE FUNCTION private.announcement_key(p_id uuid, p_version integer, p_person uuid)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN format('announcement:%s:%s:%s'::text, p_id, p_version, p_person);

CREATE OR REPLACE FUNCTION private.announcement_headline(a public.announcements)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (CASE WHEN (a).must_read THEN 'Must read: '::text ELSE 'Announcement: '::text END || (a).title);

CREATE OR REPLACE FUNCTION private.tell_addressees(a public.announcements)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
  insert into public.notices (user_id, kind, title, body, link, dedupe_key)
  select p.id, 'announcement', private.announcement_headline(a), left(a.body, 300),
    '/staff/announcements?open=' || a.id, private.announcement_key(a.id, a.version, p.id)
  from private.addressees_of(a.audience, a.counties, a.site_id, a.role, a.created_by) p (id)
  order by p.id
  on conflict (dedupe_key) do nothing;
$function$;

CREATE OR REPLACE FUNCTION private.check_last_day(p_day date)
 RETURNS void
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_day(p_day, 'last day');
  if p_day not between private.company_date() and private.company_date() + private.announcement_days_max() then
    raise exception 'The last day is between today and a year from now.' using errcode = 'check_violation';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.notices_of_announcement(a public.announcements)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select n.id from public.profiles p
  join public.notices n on n.dedupe_key = private.announcement_key(a.id, a.version, p.id)
  order by p.id;
$function$;

CREATE OR REPLACE FUNCTION private.own_announcements()
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not private.is_member() then
    return '{}';
  end if;
  return array(
    select a.id from public.announcements a
    where a.withdrawn_at is null and a.last_day >= private.company_date() and auth.uid() in (
      select private.addressees_of(a.audience, a.counties, a.site_id, a.role, a.created_by, auth.uid())
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.announcement_people(a public.announcements)
 RETURNS TABLE(user_id uuid, is_addressed boolean, read_at timestamp with time zone, received_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(now_addressed.id, r.user_id), now_addressed.id is not null, r.read_at, r.received_at
  from (
    select p.id from private.addressees_of(a.audience, a.counties, a.site_id, a.role, a.created_by) p (id)
    where a.withdrawn_at is null and a.last_day >= private.company_date()
  ) now_addressed
  full join (
    select known.* from public.announcement_readings known
    where known.announcement_id = a.id and known.version = a.version
  ) r on r.user_id = now_addressed.id
  where private.has_role('admin', 'ops_manager', 'hr');
$function$;

CREATE OR REPLACE FUNCTION public.announcement_readers(p_id uuid)
 RETURNS TABLE(id uuid, name text, phone text, is_addressed boolean, read_at timestamp with time zone, received_at timestamp with time zone, search_text text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  return query
    select p.id, private.name_of_person(p.id), p.phone, w.is_addressed, w.read_at, w.received_at,
      private.folded(concat_ws(' ', p.full_name, p.email, p.phone))
    from public.announcements a
    cross join lateral private.announcement_people(a) w
    join public.profiles p on p.id = w.user_id
    where a.id = p_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.announcement_reach(p_audience text, p_counties text[] DEFAULT NULL::text[], p_site_id uuid DEFAULT NULL::uuid, p_role text DEFAULT NULL::text)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_announcer();
  return (select count(*) from private.addressees_of(p_audience, p_counties, p_site_id, p_role, auth.uid()));
end
$function$;

CREATE OR REPLACE FUNCTION public.publish_announcement(p_id uuid, p_title text, p_body text, p_must_read boolean, p_audience text, p_last_day date, p_region text DEFAULT NULL::text, p_counties text[] DEFAULT NULL::text[], p_site_id uuid DEFAULT NULL::uuid, p_role text DEFAULT NULL::text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  made public.announcements;
begin
  perform private.require_announcer();
  -- One at a time, so that two at once are not both the last one allowed.
  perform pg_advisory_xact_lock(hashtextextended('announcements of ' || auth.uid(), 0));
  select * into made from public.announcements a where a.id = p_id and a.created_by = auth.uid();
  if found then
    return (select count(*) from private.announcement_people(made) p where p.is_addressed);
  end if;
  perform private.check_last_day(p_last_day);
  if (
    select count(*) from public.announcements a
    where a.created_by = auth.uid() and a.created_at > now() - interval '1 day'
  ) >= 20 then
    raise exception 'You have written 20 announcements within a day. Edit one of them, or wait.'
      using errcode = 'PT429';
  end if;
  insert into public.announcements (
    id, title, body, must_read, audience, region, counties, site_id, role, last_day, created_by
  ) values (
    p_id, p_title, p_body, p_must_read, p_audience, p_region, p_counties, p_site_id, p_role, p_last_day, auth.uid()
  ) returning * into made;
  if not exists (
    select from private.addressees_of(p_audience, p_counties, p_site_id, p_role, auth.uid())
  ) then
    raise exception 'This reaches nobody today. Choose another audience.' using errcode = 'check_violation';
  end if;
  perform private.tell_addressees(made);
  return (select count(*) from private.announcement_people(made) p where p.is_addressed);
end
$function$;

CREATE OR REPLACE FUNCTION public.edit_announcement(p_id uuid, p_title text, p_body text, p_must_read boolean, p_last_day date, p_read_again boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  known public.announcements;
begin
  perform private.require_announcer();
  select * into known from public.announcements a where a.id = p_id for update;
  if known.id is null then
    raise exception 'There is no such announcement.' using errcode = 'PT404';
  end if;
  if known.withdrawn_at is not null then
    raise exception 'This announcement has been withdrawn. Write a new one.' using errcode = 'PT409';
  end if;
  if p_last_day is distinct from known.last_day then
    perform private.check_last_day(p_last_day);
  end if;
  if p_read_again and known.version = 20 then
    raise exception 'This has been changed 20 times. Withdraw it and write a new one.' using errcode = 'PT409';
  end if;
  update public.announcements a
  set title = p_title, body = p_body, must_read = p_must_read, last_day = p_last_day,
    version = a.version + p_read_again::integer
  where a.id = p_id returning * into known;
  if p_read_again then
    perform private.tell_addressees(known);
  else
    -- The notices say what the announcement says now; the change also refreshes the phones that show it.
    update public.notices n
    set title = private.announcement_headline(known), body = left(known.body, 300)
    where n.id in (select private.notices_of_announcement(known));
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_announcement(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  known public.announcements;
begin
  perform private.require_announcer();
  update public.announcements a set withdrawn_at = now(), withdrawn_by = auth.uid()
  where a.id = p_id and a.withdrawn_at is null returning * into known;
  if known.id is null then
    if not exists (select from public.announcements a where a.id = p_id) then
      raise exception 'There is no such announcement.' using errcode = 'PT404';
    end if;
    return;
  end if;
  for version in 1..known.version loop
    known.version := version;
    delete from public.notices n where n.id in (select private.notices_of_announcement(known));
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION public.confirm_announcement(p_announcement_id uuid, p_version integer, p_read_at timestamp with time zone DEFAULT now())
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_member();
  if p_announcement_id is null or p_version is null or isfinite(p_read_at) is false then
    raise exception 'Name an announcement, its version and when it was read.'
      using errcode = 'invalid_parameter_value';
  end if;
  insert into public.announcement_readings (announcement_id, user_id, version, read_at)
  select a.id, auth.uid(), p_version, least(coalesce(p_read_at, now()), now())
  from public.announcements a
  where a.id = p_announcement_id and p_version between 1 and a.version and auth.uid() in (
    select private.addressees_of(a.audience, a.counties, a.site_id, a.role, a.created_by, auth.uid())
  )
  on conflict (announcement_id, user_id, version) do nothing;
  return exists (
    select from public.announcement_readings r
    where r.announcement_id = p_announcement_id and r.user_id = auth.uid() and r.version = p_version
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.my_announcements()
 RETURNS TABLE(id uuid, title text, body text, must_read boolean, version integer, last_day date, author text, published_at timestamp with time zone, read_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform private.require_member();
  return query
    select a.id, a.title, a.body, a.must_read, a.version, a.last_day,
      case when a.created_by is not null then private.name_of_person(a.created_by) end, a.created_at, r.read_at
    from public.announcements a
    left join public.announcement_readings r
      on r.announcement_id = a.id and r.user_id = auth.uid() and r.version = a.version
    where a.id = any (private.own_announcements())
    order by a.created_at desc, a.id limit 100;
end
$function$;

alter table public.announcements add constraint announcements_title_check CHECK ((char_length(title) <= 100));

alter table public.announcements add constraint announcements_body_check CHECK ((char_length(body) <= 4000));

alter table public.announcements add constraint announcements_audience_check CHECK ((audience = ANY (ARRAY['everybody'::text, 'region'::text, 'site'::text, 'role'::text])));

alter table public.announcements add constraint announcements_region_check CHECK ((char_length(region) <= 100));

alter table public.announcements add constraint announcements_counties_check CHECK (((cardinality(counties) >= 1) AND (cardinality(counties) <= 20)));

alter table public.announcements add constraint announcements_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'ops_manager'::text, 'supervisor'::text, 'dispatcher'::text, 'hr'::text, 'finance'::text, 'guard'::text])));

alter table public.announcements add constraint announcements_last_day_check CHECK (((last_day >= '2000-01-01'::date) AND (last_day <= '2199-12-31'::date)));

alter table public.announcements add constraint announcements_version_check CHECK (((version >= 1) AND (version <= 20)));

alter table public.announcements add constraint announcements_name_their_audience CHECK ((((audience = 'region'::text) = (region IS NOT NULL)) AND ((audience = 'region'::text) = (counties IS NOT NULL)) AND ((audience = 'site'::text) = (site_id IS NOT NULL)) AND ((audience = 'role'::text) = (role IS NOT NULL))));

alter table public.announcements add constraint announcements_pkey PRIMARY KEY (id);

alter table public.announcements add constraint announcements_site_id_fkey FOREIGN KEY (site_id) REFERENCES public.sites(id) ON DELETE CASCADE;

alter table public.announcements add constraint announcements_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.announcements add constraint announcements_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

alter table public.announcement_readings add constraint announcement_readings_version_check CHECK (((version >= 1) AND (version <= 20)));

alter table public.announcement_readings add constraint announcement_readings_read_at_check CHECK (isfinite(read_at));

alter table public.announcement_readings add constraint announcement_readings_pkey PRIMARY KEY (id);

alter table public.announcement_readings add constraint announcement_readings_announcement_id_user_id_version_key UNIQUE (announcement_id, user_id, version);

alter table public.announcement_readings add constraint announcement_readings_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES public.announcements(id) ON DELETE CASCADE;

alter table public.announcement_readings add constraint announcement_readings_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE INDEX announcements_withdrawn_by_idx ON public.announcements USING btree (withdrawn_by);

CREATE INDEX announcements_site_id_idx ON public.announcements USING btree (site_id);

CREATE INDEX announcements_last_day_idx ON public.announcements USING btree (last_day);

CREATE INDEX announcements_created_by_idx ON public.announcements USING btree (created_by, created_at);

CREATE INDEX announcement_readings_user_id_idx ON public.announcement_readings USING btree (user_id);

create view public.announcement_list with (security_barrier=true) as  SELECT a.id,
    a.title,
    a.body,
    a.must_read,
    a.audience,
    a.region,
    a.site_id,
    t.name AS site_name,
    a.role,
    a.last_day,
    a.version,
    a.created_at,
    a.updated_at,
    a.withdrawn_at,
    COALESCE(NULLIF(w.full_name, ''::text), w.email) AS author,
        CASE
            WHEN (a.withdrawn_at IS NOT NULL) THEN 'withdrawn'::text
            WHEN (a.last_day < private.company_date()) THEN 'ended'::text
            ELSE 'current'::text
        END AS state,
    (( SELECT count(*) AS count
           FROM private.announcement_people(a.*) p(user_id, is_addressed, read_at, received_at)
          WHERE (p.read_at IS NOT NULL)))::integer AS readers,
    (( SELECT count(*) AS count
           FROM private.announcement_people(a.*) p(user_id, is_addressed, read_at, received_at)
          WHERE (p.read_at IS NULL)))::integer AS unread
   FROM ((public.announcements a
     LEFT JOIN public.profiles w ON ((w.id = a.created_by)))
     LEFT JOIN public.sites t ON ((t.id = a.site_id)))
  WHERE ( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'hr'::text]) AS has_role);;

CREATE OR REPLACE FUNCTION public.search_text(written public.announcement_list)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (written).title, (written).body, (written).author));

select private.tidy_texts_of('public.announcements', 'title', 'body');

CREATE TRIGGER d_touch BEFORE UPDATE ON public.announcements FOR EACH ROW EXECUTE FUNCTION private.touch();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.announcements REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.announcements REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.announcements REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_inserts AFTER INSERT ON public.announcement_readings REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_updates AFTER UPDATE ON public.announcement_readings REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

CREATE TRIGGER history_of_deletes AFTER DELETE ON public.announcement_readings REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION private.record_history();

create policy "People managers read every announcement" on public.announcements for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'hr'::text]) AS has_role));

create policy "Members read what is addressed to them while it lasts" on public.announcements for select to authenticated using ((id = ANY (( SELECT private.own_announcements() AS own_announcements)::uuid[])));

create policy "People managers read who has read announcements" on public.announcement_readings for select to authenticated using (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'hr'::text]) AS has_role));

create policy "Members read what they have confirmed themselves" on public.announcement_readings for select to authenticated using (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_member() AS is_member)));

alter table public.announcements enable row level security;

alter table public.announcement_readings enable row level security;

alter table public.announcements replica identity full;

alter table public.announcement_readings replica identity full;

alter publication supabase_realtime add table public.announcements;

alter publication supabase_realtime add table public.announcement_readings;

grant SELECT on public.announcements to authenticated;

grant SELECT on public.announcement_readings to authenticated;

revoke all on public.announcement_list from service_role;

grant SELECT on public.announcement_list to authenticated;

grant execute on function public.search_text(public.announcement_list) to authenticated;

grant execute on function private.own_announcements() to authenticated;

grant execute on function private.announcement_people(public.announcements) to authenticated;

grant execute on function public.announcement_readers(uuid) to authenticated;

grant execute on function public.announcement_reach(text,text[],uuid,text) to authenticated;

grant execute on function public.publish_announcement(uuid,text,text,boolean,text,date,text,text[],uuid,text) to authenticated;

grant execute on function public.edit_announcement(uuid,text,text,boolean,date,boolean) to authenticated;

grant execute on function public.withdraw_announcement(uuid) to authenticated;

grant execute on function public.confirm_announcement(uuid,integer,timestamp with time zone) to authenticated;

grant execute on function public.my_announcements() to authenticated;

comment on column public.announcements.version is 'Counts the texts that had to be read again; smaller edits keep it';

comment on column public.announcements.last_day is 'Inclusive, by the company''s calendar';

comment on column public.announcement_readings.read_at is 'By the device''s clock, corrected; never in the future';

comment on column public.announcement_readings.received_at is 'By the server''s clock';

comment on column public.announcement_list.id is 'Never null';

comment on column public.announcement_list.title is 'Never null';

comment on column public.announcement_list.body is 'Never null';

comment on column public.announcement_list.must_read is 'Never null';

comment on column public.announcement_list.audience is 'Never null';

comment on column public.announcement_list.last_day is 'Never null';

comment on column public.announcement_list.version is 'Never null';

comment on column public.announcement_list.created_at is 'Never null';

comment on column public.announcement_list.updated_at is 'Never null';

comment on column public.announcement_list.readers is 'Never null';

comment on column public.announcement_list.state is 'Never null: current; ended: the last day is over; withdrawn';

comment on column public.announcement_list.unread is 'Never null: people whom it addresses today and who have not read it; none once it has ended';

comment on function public.announcement_readers(uuid) is 'Nullable: phone, read_at, received_at';

comment on function public.my_announcements() is 'Nullable: author, read_at';

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": [], "newest": "r.read_at", "target": "public.announcement_readings", "belongs": "r.user_id = $1", "blanked": [], "withheld": [], "is_shared": false, "on_erasure": "keep"}');

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": ["title", "body"], "newest": "1", "target": "public.announcements", "belongs": "$1 in (r.created_by, r.withdrawn_by)", "blanked": [], "withheld": null, "is_shared": true, "on_erasure": "keep"}');

insert into private.retention_parts ("age","due","key","kind","target","blanked","is_quiet","position","stripped") select "age","due","key","kind","target","blanked","is_quiet","position","stripped" from jsonb_populate_record(null::private.retention_parts, '{"age": "r.last_day", "due": "private.company_midnight(r.last_day + 1) <= $1", "key": "id", "kind": "duty_notes", "target": "public.announcements", "blanked": null, "is_quiet": false, "position": 4, "stripped": null}');
