-- Post orders: what a guard has to know and do at a site, or at one post of it. A new version is a new row and the old
-- one stays, so that it is always known what a guard had confirmed.
create table public.post_orders (
  id uuid primary key default gen_random_uuid(),
  site_id uuid not null references public.sites (id) on delete cascade,
  post_id uuid references public.posts (id) on delete cascade,
  version integer not null default 1 check (version > 0),
  title text not null check (char_length(title) <= 100),
  body text not null check (char_length(body) <= 20000),
  valid_from date not null default private.company_date()
    check (valid_from between '1900-01-01' and '2199-12-31'),
  created_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint post_orders_versions unique nulls not distinct (site_id, post_id, version)
);
comment on column public.post_orders.post_id is 'Null for the orders of the whole site';
comment on column public.post_orders.version is 'Derived: one more than the newest of the same site and post';
comment on column public.post_orders.body is 'Plain text; lines that start with "# " are headings, with "- " points';
create index post_orders_post_id_idx on public.post_orders (post_id);
create index post_orders_created_by_idx on public.post_orders (created_by);

create function private.derive_order_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.post_id is not null then
    select p.site_id into new.site_id from public.posts p where p.id = new.post_id;
  end if;
  -- Two planners who save at once get two versions.
  perform pg_advisory_xact_lock(hashtextextended('orders ' || coalesce(new.post_id, new.site_id)::text, 0));
  select coalesce(max(o.version), 0) + 1 into new.version from public.post_orders o
  where o.site_id = new.site_id and o.post_id is not distinct from new.post_id;
  return new;
end
$$;

select private.tidy_texts_of('public.post_orders', 'title', 'body');
create trigger b_version before insert on public.post_orders
  for each row execute function private.derive_order_version();
create trigger b_author before insert or update on public.post_orders
  for each row execute function private.stamp_author();
select private.keep_history_of('public.post_orders');

alter table public.post_orders enable row level security;
revoke all on public.post_orders from anon, authenticated;
grant select, insert on public.post_orders to authenticated;

create policy "Planners read the post orders of their sites" on public.post_orders
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read the post orders of the sites they are assigned to" on public.post_orders
  for select to authenticated using (site_id = any ((select private.assigned_sites())::uuid[]));
create policy "Overseers write post orders" on public.post_orders
  for insert to authenticated with check (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );

alter publication supabase_realtime add table public.post_orders;
alter table public.post_orders replica identity full;

-- Who has confirmed that they read a version. Written by confirm_post_orders alone.
create table public.post_order_readings (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references public.post_orders (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  site_id uuid not null references public.sites (id) on delete cascade,
  read_at timestamptz not null check (isfinite(read_at)),
  received_at timestamptz not null default now(),
  unique (order_id, user_id)
);
comment on column public.post_order_readings.read_at is 'By the device''s clock, corrected; never in the future';
comment on column public.post_order_readings.site_id is 'The site of the orders';
create index post_order_readings_user_id_idx on public.post_order_readings (user_id);
create index post_order_readings_site_id_idx on public.post_order_readings (site_id);
select private.keep_history_of('public.post_order_readings');

alter table public.post_order_readings enable row level security;
revoke all on public.post_order_readings from anon, authenticated;
grant select on public.post_order_readings to authenticated;

create policy "Planners read who has read the orders of their sites" on public.post_order_readings
  for select to authenticated using (
    (select private.has_role('admin', 'ops_manager', 'supervisor', 'dispatcher'))
    or site_id = any ((select private.supervised_sites())::uuid[])
  );
create policy "Guards read what they have confirmed" on public.post_order_readings
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));

alter publication supabase_realtime add table public.post_order_readings;
alter table public.post_order_readings replica identity full;

-- The newest version of each site's and each post's orders, which may begin later.
create view public.newest_post_orders with (security_invoker = true) as
select distinct on (o.site_id, o.post_id) o.id, o.site_id, o.post_id, t.name as site_name, p.name as post_name,
  o.version, o.title, o.valid_from, o.created_at
from public.post_orders o
join public.sites t on t.id = o.site_id
left join public.posts p on p.id = o.post_id
order by o.site_id, o.post_id, o.version desc;
select private.mark_never_null('public.newest_post_orders',
  'id', 'site_id', 'site_name', 'version', 'title', 'valid_from', 'created_at');
revoke all on public.newest_post_orders from anon, authenticated;
grant select on public.newest_post_orders to authenticated;

-- The orders in force on a day: of the whole site and of the post.
create function private.orders_in_force(p_site uuid, p_post uuid, p_day date) returns setof public.post_orders
language sql stable security definer set search_path = '' as $$
  select o.* from public.post_orders o
  where o.site_id = p_site and (o.post_id is null or o.post_id = p_post) and o.valid_from <= p_day
    and not exists (
      select from public.post_orders later
      where later.site_id = o.site_id and later.post_id is not distinct from o.post_id
        and later.version > o.version and later.valid_from <= p_day
    );
$$;

-- The orders of the caller's running and next shifts, those of my_clock_shifts that are not over: in force on the first
-- day of a shift, and after midnight on the new day.
create function public.my_post_orders() returns table (
  assignment_id uuid,
  order_id uuid,
  site_name text,
  post_name text,
  version integer,
  title text,
  body text,
  valid_from date,
  read_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_member();
  return query
    select a.id, o.id, t.name, p.name, o.version, o.title, o.body, o.valid_from, r.read_at
    from public.assignments a
    join public.shifts s on s.id = a.shift_id
    join public.sites t on t.id = s.site_id
    cross join lateral private.orders_in_force(
      s.site_id, s.post_id, (greatest(s.start_time, now()) at time zone t.timezone)::date) o
    left join public.posts p on p.id = o.post_id
    left join public.post_order_readings r on r.order_id = o.id and r.user_id = a.user_id
    where a.user_id = auth.uid() and a.status <> 'cancelled' and s.start_time < now() + interval '4 days'
      and (s.end_time > now() or a.attendance_state = 'in')
    order by s.start_time, o.post_id is not null
    limit 20;
end
$$;
comment on function public.my_post_orders is 'Nullable: post_name, read_at';

-- Stores that the caller has read these orders, once each, whenever it arrives. Orders that are not theirs, or no
-- longer exist, are left out: a guard's phone must never get stuck on them. Returns how many are confirmed.
create function public.confirm_post_orders(p_order_ids uuid[], p_read_at timestamptz default now()) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  confirmed integer;
begin
  perform private.require_member();
  if p_order_ids is null or cardinality(p_order_ids) not between 1 and 100 or isfinite(p_read_at) is false then
    raise exception 'Name 1 to 100 orders and when they were read.' using errcode = 'invalid_parameter_value';
  end if;
  insert into public.post_order_readings (order_id, user_id, site_id, read_at)
  select o.id, auth.uid(), o.site_id, least(coalesce(p_read_at, now()), now())
  from public.post_orders o
  where o.id = any (p_order_ids) and o.site_id = any (private.assigned_sites())
  on conflict (order_id, user_id) do nothing;
  select count(*) into confirmed from public.post_order_readings r
  where r.order_id = any (p_order_ids) and r.user_id = auth.uid();
  return confirmed;
end
$$;

-- The guards who have had or will have a shift under this version, from 14 days ago to 14 days ahead, and who confirmed
-- it. `clocked_in_unread`: they clocked in at a time when they had not, on a shift that began under it.
create function public.post_order_readers(p_order_id uuid) returns table (
  user_id uuid,
  full_name text,
  read_at timestamptz,
  next_shift timestamptz,
  clocked_in_unread boolean
)
language plpgsql stable security definer set search_path = '' as $$
declare
  wanted public.post_orders;
begin
  select * into wanted from public.post_orders o where o.id = p_order_id;
  if not private.may_plan(wanted.site_id) then
    return;
  end if;
  return query
    select people.id, private.name_of_person(people.id), r.read_at, duty.next_shift,
      coalesce(duty.first_in < coalesce(r.read_at, 'infinity'), false)
    from (
      select a.user_id,
        min(s.start_time) filter (where s.end_time > now()) as next_shift,
        min(d.clock_in_at) as first_in
      from public.shifts s
      join public.sites t on t.id = s.site_id
      join public.assignments a on a.shift_id = s.id and a.status <> 'cancelled'
      left join public.attendance d on d.assignment_id = a.id and d.clock_in_at >= wanted.created_at
        and (s.start_time at time zone t.timezone)::date >= wanted.valid_from
      where s.site_id = wanted.site_id and (wanted.post_id is null or s.post_id = wanted.post_id)
        and s.start_time between now() - interval '14 days' and now() + interval '14 days'
        and exists (
          select from unnest(array[s.start_time, case when s.end_time > now() then greatest(s.start_time, now()) end]) at
          cross join lateral private.orders_in_force(s.site_id, s.post_id, (at at time zone t.timezone)::date) o
          where o.id = wanted.id
        )
      group by a.user_id
    ) duty
    full join (select * from public.post_order_readings known where known.order_id = wanted.id) r
      on r.user_id = duty.user_id
    join public.profiles people on people.id = coalesce(duty.user_id, r.user_id)
    order by r.read_at is not null, 2
    limit 500;
end
$$;
comment on function public.post_order_readers is 'Nullable: read_at, next_shift';

revoke all on all functions in schema private from public;
revoke all on function public.my_post_orders, public.confirm_post_orders, public.post_order_readers from public, anon;
grant execute on function public.my_post_orders, public.confirm_post_orders, public.post_order_readers to authenticated;
