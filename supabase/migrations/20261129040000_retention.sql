-- How long records about people are kept, by kind, and the nightly work that ends them. docs/privacy.md has the inventory.
create table public.retention_rules (
  id uuid primary key default gen_random_uuid(),
  kind text not null unique check (char_length(kind) between 1 and 50),
  days integer not null,
  -- Below it, what the law, the books or the specification need would vanish.
  min_days integer not null check (min_days > 0),
  max_days integer not null check (max_days <= 7300),
  default_days integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint retention_rules_within_limits check (days between min_days and max_days),
  constraint retention_rules_default_within_limits check (default_days between min_days and max_days)
);

insert into public.retention_rules (kind, min_days, default_days, max_days, days)
select r.kind, r.min_days, r.default_days, r.max_days, r.default_days
from (values
  ('positions', 90, 365, 3650),
  ('clock_photos', 30, 90, 730),
  ('evidence', 365, 1825, 3650),
  ('documents', 1825, 1825, 7300),
  ('leave_reasons', 1095, 1825, 3650),
  ('welfare_checks', 180, 730, 3650),
  ('messages', 90, 365, 1825),
  ('notices', 30, 365, 1825),
  ('duty_notes', 365, 1095, 3650),
  ('enquiries', 90, 730, 3650),
  ('client_messages', 365, 1825, 3650),
  ('sign_ins', 90, 365, 1825),
  ('activity', 1825, 2555, 7300)
) r (kind, min_days, default_days, max_days);

create trigger d_touch before update on public.retention_rules
  for each row execute function private.touch();
select private.keep_history_of('public.retention_rules');
alter table public.retention_rules enable row level security;
revoke all on public.retention_rules from anon, authenticated;
grant select, update (days) on public.retention_rules to authenticated;
-- The people concerned are guards, the office and contacts of clients.
create policy "Everyone with an account reads how long records are kept" on public.retention_rules
  for select to authenticated using ((select auth.uid()) is not null);
create policy "Admins change how long records are kept" on public.retention_rules
  for update to authenticated using ((select private.has_role('admin')));

-- What ends with a kind: rows of a table, or some of their columns. In the order of `position`.
create table private.retention_parts (
  kind text not null references public.retention_rules (kind),
  position integer not null,
  -- A table that this project lacks is skipped: some belong to our own auth service.
  target text not null,
  key text not null default 'id',
  -- Condition on row r; $1 is the time before which a record has ended.
  due text not null,
  age text not null,
  -- Columns that become null while the row stays; null if the row is deleted.
  blanked text[],
  -- Keys that are removed from the copies in the activity log, which is the target.
  stripped text[],
  -- Whether deletes leave out the triggers. Never where other tables reference the target.
  is_quiet boolean not null default false,
  primary key (kind, position)
);

-- One row for each kind and night.
create table private.retention_runs (
  kind text not null references public.retention_rules (kind),
  night date not null,
  position integer not null default 1,
  ended bigint not null default 0,
  error text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (kind, night)
);
create index retention_runs_night_idx on private.retention_runs (night);
alter table private.retention_parts enable row level security;
alter table private.retention_runs enable row level security;
revoke all on private.retention_parts, private.retention_runs from public, anon, authenticated, service_role;

-- A column that can't be null is blanked with an empty text: the reason of a leave request.
create function private.blanking(target text, columns text[]) returns text
language sql stable set search_path = '' as $$
  select string_agg(format(case when a.attnotnull then '%I = ''''' else '%I = null' end, a.attname), ', ')
  from pg_catalog.pg_attribute a where a.attrelid = to_regclass(target) and a.attname = any (columns);
$$;

-- Ends up to p_limit records of a part. Blanking skips triggers: no hours are computed again, a locked period stays locked,
-- and no copy of the blanked value enters the activity log.
-- @returns how many records ended
create function private.end_records(part private.retention_parts, p_cutoff timestamptz, p_limit integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  keys text[];
  key_type text;
  source text := split_part(part.target, '.', 2);
begin
  if part.kind is null or p_cutoff is null or p_limit is null or to_regclass(part.target) is null then
    return 0;
  end if;
  select format_type(a.atttypid, null) into key_type from pg_catalog.pg_attribute a
  where a.attrelid = to_regclass(part.target) and a.attname = part.key;
  execute format(
    'select array(select r.%I::text from %s r where %s order by %s limit $2 for update of r skip locked)',
    part.key, part.target, part.due, part.age
  ) into keys using p_cutoff, p_limit;
  if cardinality(keys) = 0 then
    return 0;
  end if;
  if part.stripped is not null then
    set local session_replication_role = replica;
    update public.audit_log a
    set old_values = a.old_values - part.stripped, new_values = a.new_values - part.stripped
    where a.id = any (keys::uuid[]);
  elsif part.blanked is not null then
    set local session_replication_role = replica;
    execute format('update %s r set %s where r.%I = any ($1::%s[])', part.target,
      private.blanking(part.target, part.blanked), part.key, key_type) using keys;
    update public.audit_log a
    set old_values = a.old_values - part.blanked, new_values = a.new_values - part.blanked
    where a.row_id = any (case when key_type = 'uuid' then keys::uuid[] end) and a.table_name = source;
  else
    -- A hosted project asks for this before files are deleted with SQL.
    perform set_config('storage.allow_delete_query', 'true', true);
    if part.is_quiet then
      set local session_replication_role = replica;
    end if;
    execute format('delete from %s r where r.%I = any ($1::%s[])', part.target, part.key, key_type) using keys;
    set local session_replication_role = replica;
    -- Who did what and when stays, without the content.
    update public.audit_log a set
      old_values = case when a.old_values is not null then '{}'::jsonb end,
      new_values = case when a.new_values is not null then '{}'::jsonb end
    where a.row_id = any (case when key_type = 'uuid' then keys::uuid[] end) and a.table_name = source
      and part.target <> 'public.audit_log';
  end if;
  set local session_replication_role = origin;
  return cardinality(keys);
end
$$;

-- The night that a time belongs to: nights begin at 2 in the company's zone, when few shifts begin.
create function private.retention_night(at timestamptz) returns date
language sql stable set search_path = ''
return ((at at time zone (select s.time_zone from private.settings s)) - interval '2 hours')::date;

-- A job of the servers: the next batch of tonight's work. A batch that ends early is continued by the next call.
create function private.apply_retention() returns void
language plpgsql security definer set search_path = '' as $$
declare
  batch constant integer := 1000;
  tonight date := private.retention_night(now());
  run private.retention_runs;
  part private.retention_parts;
  days integer;
  count_ended integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('retention', 0)) then
    return;
  end if;
  if not exists (select from private.retention_runs r where r.night = tonight) then
    insert into private.retention_runs (kind, night) select k.kind, tonight from public.retention_rules k;
    delete from private.retention_runs r where r.night < tonight - 400;
  end if;
  select * into run from private.retention_runs r
  where r.night = tonight and r.finished_at is null order by r.kind limit 1;
  if not found then
    return;
  end if;
  select k.days into days from public.retention_rules k where k.kind = run.kind;
  select * into part from private.retention_parts p
  where p.kind = run.kind and p.position >= run.position order by p.position limit 1;
  if not found then
    update private.retention_runs r set finished_at = clock_timestamp() where r.kind = run.kind and r.night = tonight;
    return;
  end if;
  begin
    count_ended := private.end_records(part, now() - make_interval(days => days), batch);
    update private.retention_runs r set
      ended = r.ended + count_ended,
      position = case when count_ended < batch then part.position + 1 else part.position end
    where r.kind = run.kind and r.night = tonight;
  -- One kind that fails must not stop the others; its error is shown, and the next night tries again.
  exception when others then
    update private.retention_runs r set finished_at = clock_timestamp(), error = left(sqlerrm, 500)
    where r.kind = run.kind and r.night = tonight;
    raise warning 'records of kind % were not ended: %', run.kind, sqlerrm;
  end;
end
$$;

-- How many records of a kind are older than p_cutoff and not needed; counted to 10,000 per table.
create function private.count_due(p_kind text, p_cutoff timestamptz) returns bigint
language plpgsql stable security definer set search_path = '' as $$
declare
  part private.retention_parts;
  found_here bigint;
  total bigint := 0;
begin
  for part in
    select * from private.retention_parts p where p.kind = p_kind and p.stripped is null and to_regclass(p.target) is not null
  loop
    execute format('select count(*) from (select from %s r where %s limit 10000) r', part.target, part.due)
      into found_here using p_cutoff;
    total := total + found_here;
  end loop;
  return total;
end
$$;

-- For the screen of admins: the periods with their limits, what ends next night, and the last run.
create function public.retention_overview()
returns table (
  id uuid, kind text, days integer, min_days integer, max_days integer, default_days integer, due bigint,
  last_run_at timestamptz, last_ended bigint, last_error text, ended_in_30_days bigint
)
language plpgsql stable security definer set search_path = '' as $$
declare
  zone text := (select s.time_zone from private.settings s);
  next_night timestamptz := (private.retention_night(now()) + 1 + time '02:00') at time zone zone;
begin
  perform private.require_admin();
  return query
  select r.id, r.kind, r.days, r.min_days, r.max_days, r.default_days,
    private.count_due(r.kind, next_night - make_interval(days => r.days)),
    last.finished_at, last.ended, last.error,
    coalesce((
      select sum(n.ended) from private.retention_runs n
      where n.kind = r.kind and n.night > private.retention_night(now()) - 30
    ), 0)::bigint
  from public.retention_rules r
  left join lateral (
    select n.* from private.retention_runs n where n.kind = r.kind and n.finished_at is not null
    order by n.night desc limit 1
  ) last on true
  order by r.kind;
end
$$;
comment on function public.retention_overview is 'Nullable: last_run_at, last_ended, last_error';

-- How many records a period of p_days would end, for the question before a shorter one is saved.
create function public.retention_loss(p_kind text, p_days integer) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if p_kind is null or p_days is null or p_days not between 1 and 7300 then
    raise exception 'Send a kind and a number of days from 1 to 7300.' using errcode = 'invalid_parameter_value';
  end if;
  return private.count_due(p_kind, now() - make_interval(days => p_days));
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.retention_overview, public.retention_loss from public, anon;
grant execute on function public.retention_overview, public.retention_loss to authenticated;
