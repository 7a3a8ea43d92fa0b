-- Settings of the company, time and text helpers, jobs, stored sums: what every other file uses.

create extension if not exists btree_gist with schema extensions;
create extension if not exists pg_trgm with schema extensions;
create schema private;
grant usage on schema private to anon, authenticated, service_role;

-- Nothing is open to callers unless a line says so.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
-- The server's own role; a project made since May 2026 doesn't give it new tables.
alter default privileges in schema public grant select, insert, update, delete on tables to service_role;

-- ── Tables ────────────────────────────────────────────────────────────

-- Triggers of one event fire in the order of their names: first those before the statement, then before the row, after
-- the row and after the statement. Names begin alike on every table:
--   a_tidy_text                             trims texts; an empty text is null
--   b_…                                     what the database fills in: author, post, site, day
--   c_…                                     rules; in_use, issued and locked refuse
--   d_touch                                 keeps id and created_at, sets updated_at
--   y_locked…, y_books…                     refuse what changes a locked timesheet or closed books, for every writer
--   z_recheck…, z_forget…, z_sums_follow…   stored sums (28) are out of date
--   history_of_…                            activity log
--   time_follows…                           hours that depend on the row are computed again
--   …_follow…, move…, settle…               derived columns and rows of other tables
--   notify_of_…, queue_…                    notices and mails

-- Work that the servers repeat. Each run is one transaction that holds the lease of its job: two servers never run a
-- job at once, and the lease of one that is killed ends with its connection. server/operations/work.ts has the list.
create table private.jobs (
  name text primary key,
  next_at timestamptz not null default now(),
  last_run_at timestamptz,
  runs bigint not null default 0
);
alter table private.jobs enable row level security;

-- One row; the server writes its configuration here at start.
create table private.settings (
  only_row boolean default true primary key check (only_row),
  signup_policy text not null default 'open' check (signup_policy in ('open', 'approval', 'closed')),
  time_zone text not null default 'Africa/Monrovia', -- IANA zone in which a business day begins and ends.
  -- Enquiries accepted from one network in an hour.
  enquiries_per_hour integer not null default 20 check (enquiries_per_hour > 0),
  -- Origins that push messages may go to; `*` stands for any host name below. The server writes them at start.
  push_services text[] not null default '{}',
  text_messages boolean not null default false, -- Whether the server can send text messages.
  -- How long a message waits for more notices, seconds.
  digest_seconds integer not null default 120 check (digest_seconds between 0 and 3600),
  time_zone_since timestamptz not null default now(), -- Since when the company's days begin as they do now.
  -- What the company itself is called and reached by: no erasure replaces it. Written at every start.
  own_words text[] not null default '{}',
  backed_up_at timestamptz -- Of the newest backup, as the server finds it; a Supabase project makes its own.
);

insert into private.settings (time_zone_since) values ('2026-11-28 19:24:38.712048+00');
-- Triggers, in the order in which they fire:
create trigger c_time_zone before update on private.settings
  for each row when (old.time_zone <> new.time_zone) execute function private.note_time_zone();
create trigger leave_follows_time_zone after update on private.settings
  for each row when (old.time_zone <> new.time_zone) execute function private.follow_time_zone();
create trigger time_follows after update on private.settings
  for each row when (old.time_zone <> new.time_zone) execute function private.recompute_open_timesheets();
create trigger z_sums_follow_zone after update on private.settings
  for each row when (old.time_zone <> new.time_zone) execute function private.forget_sums_by_month();
create trigger a_forget_rights after insert or update or delete on private.settings
  for each statement execute function private.forget_rights();

-- ── Functions ─────────────────────────────────────────────────────────

create function private.day_name(p_day date) returns text
language sql immutable set search_path = '' return to_char(p_day, 'FMMonth FMDD, YYYY');

-- Today in the company's time zone. Definer, like the other functions here that read the settings, which callers can't.
create function private.company_date() returns date
language sql stable security definer set search_path = '' as $$
  select (now() at time zone s.time_zone)::date from private.settings s;
$$;
grant execute on function private.company_date to authenticated, service_role;

-- Arguments: a column, how a sentence about it begins, and how many days ahead it may be. Clocks of other zones are a
-- day ahead at most.
create function private.check_money_day() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  day date := (to_jsonb(new) ->> tg_argv[0])::date;
  ahead integer := tg_argv[2]::integer;
  today date;
begin
  if day is null or tg_op = 'UPDATE' and day = (to_jsonb(old) ->> tg_argv[0])::date then
    return new;
  end if;
  if day < private.first_book_day() then
    raise exception '% can''t be before %.', tg_argv[1], private.day_name(private.first_book_day())
      using errcode = 'check_violation';
  end if;
  today := private.company_date();
  if day > today + ahead then
    raise exception '%', case when ahead = 1 then tg_argv[1] || ' can''t be in the future.'
      else format('%s can''t be after %s.', tg_argv[1], private.day_name(today + ahead)) end
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;

-- Emptying a table whole would pass by the triggers of its rows.
create function private.refuse_truncate_of_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.invoices i where i.status <> 'draft') then
    raise exception 'Invoices are issued, so this table can''t be emptied.' using errcode = 'PT409';
  end if;
  return null;
end
$$;

-- Emptying a table whole would pass by the triggers of its rows.
create function private.refuse_truncate_of_locked_runs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.pay_runs r where r.status in ('locked', 'paid')) then
    raise exception 'Pay runs are locked, so this table can''t be emptied.' using errcode = 'PT409';
  end if;
  return null;
end
$$;

-- Refuses to delete a row that other tables still refer to. Arguments: table, column and message of each. The foreign
-- key alone would refuse too, but its message names a constraint.
create function private.refuse_while_used() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_used boolean;
begin
  for use in 0 .. tg_nargs - 1 by 3 loop
    execute format('select exists (select from public.%I where %I = $1)', tg_argv[use], tg_argv[use + 1])
      into is_used using old.id;
    if is_used then
      raise exception '%', tg_argv[use + 2] using errcode = 'foreign_key_violation';
    end if;
  end loop;
  return old;
end
$$;

-- As before, with the caller's id read once.
create function private.stamp_author() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  me uuid;
  deleted jsonb;
  generated_columns text[];
begin
  if tg_op = 'UPDATE' then
    -- Deleting an account sets created_by of its rows to null.
    if new.created_by is not null then
      new.created_by := old.created_by;
    end if;
    return new;
  end if;
  me := auth.uid();
  if me is null or new.created_by = me then
    return new;
  end if;
  select l.old_values into deleted
  from (
    select h.actor_id, h.old_values from public.audit_log h
    where h.table_name = tg_table_name and h.row_id = new.id and h.action = 'delete'
    order by h.at desc limit 1
  ) l
  where l.actor_id = me;
  -- Generated columns are not computed yet.
  generated_columns := array(
    select c.attname from pg_catalog.pg_attribute c where c.attrelid = tg_relid and c.attgenerated <> ''
  );
  if deleted is null
    or to_jsonb(jsonb_populate_record(new, deleted)) - generated_columns <> to_jsonb(new) - generated_columns
  then
    new.created_by := me;
  end if;
  return new;
end
$$;

-- Sets entered_by to the caller when the row is about somebody else. The argument is the column of that person.
create function private.stamp_entry() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- Without a caller, earlier rows are being loaded.
  if auth.uid() is not null then
    new.entered_by := case when to_jsonb(new) ->> tg_argv[0] is distinct from auth.uid()::text then auth.uid() end;
  end if;
  return new;
end
$$;

-- Keeps id and created_at, and sets updated_at.
create function private.touch() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.id := old.id;
  new.created_at := old.created_at;
  new.updated_at := now();
  return new;
end
$$;

-- The follow-up of many incidents: their owner and due time too.
create function private.columns_of_many(p_table text) returns text[]
language sql immutable set search_path = ''
return case p_table
  when 'attendance' then array['clock_out_at', 'correction_reason', 'needs_review', 'resolution']
  when 'certifications' then array['issued_at', 'expires_at']
  when 'contact_messages' then array['state']
  when 'incidents' then array['status', 'notes', 'owner_id', 'due_at']
  when 'leave_requests' then array['status', 'decision_note']
  when 'payroll' then array['payment_status', 'payment_date']
  when 'shifts' then array['site_id', 'start_time', 'end_time', 'required_headcount']
  when 'staff' then array['status']
end;
grant execute on function private.columns_of_many to authenticated;

-- Most rows that one action takes.
create function private.most_rows() returns integer language sql immutable set search_path = '' return 2000;
grant execute on function private.most_rows to authenticated;

create function private.require_many(p_ids uuid[]) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_ids is null or cardinality(p_ids) not between 1 and private.most_rows()
    or array_position(p_ids, null) is not null
  then
    raise exception 'Choose between 1 and % rows.', private.most_rows() using errcode = 'invalid_parameter_value';
  end if;
end
$$;
grant execute on function private.require_many to authenticated;

-- How a message names a row, as far as the caller may read what it needs.
create function private.name_of_row(p_table text, p_row jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  named text;
begin
  if p_row is null then
    return 'One row';
  end if;
  case p_table
    when 'payroll' then
      select s.full_name into named from public.staff s where s.id = (p_row ->> 'staff_id')::uuid;
    when 'shifts' then
      select concat_ws(', ', s.name, private.time_text((p_row ->> 'start_time')::timestamptz, s.timezone)) into named
      from public.sites s where s.id = (p_row ->> 'site_id')::uuid;
    when 'certifications' then
      select concat_ws(', ', coalesce(nullif(p.full_name, ''), p.email), c.title) into named
      from public.training_courses c
      left join public.profiles p on p.id = (p_row ->> 'user_id')::uuid where c.id = (p_row ->> 'course_id')::uuid;
    when 'attendance', 'leave_requests', 'user_roles' then
      select coalesce(nullif(p.full_name, ''), p.email) into named
      from public.profiles p where p.id = (p_row ->> 'user_id')::uuid;
    else
      named := coalesce(p_row ->> 'title', p_row ->> 'full_name', p_row ->> 'name', p_row ->> 'account_name');
  end case;
  return coalesce(named, 'One row');
end
$$;
grant execute on function private.name_of_row to authenticated;

-- Why a row can't be changed, as far as its values tell; null if nothing speaks against it.
create function private.obstacle_of(p_was jsonb, p_seen timestamptz, p_expected jsonb) returns text
language sql immutable set search_path = ''
return case
  when p_was is null then 'It no longer exists, or you may not change it.'
  when (p_was ->> 'updated_at')::timestamptz <> p_seen then 'It has been changed since.'
  when not p_was @> p_expected then (
    select format('It has been changed since: its %s is now %s.', replace(e.key, '_', ' '),
      coalesce(p_was ->> e.key, 'empty'))
    from jsonb_each(p_expected) e where p_was -> e.key is distinct from e.value order by e.key limit 1
  )
end;
grant execute on function private.obstacle_of to authenticated;

-- Raises the refusals of a call, if there are any, which undoes everything that the call did.
create function private.refuse_many(p_refused jsonb[], p_total integer, p_done text) returns void
language plpgsql immutable set search_path = '' as $$
declare
  refusals integer := coalesce(cardinality(p_refused), 0);
  listed text;
begin
  if refusals = 0 then
    return;
  end if;
  select string_agg(format('%s: %s', r ->> 'name', r ->> 'reason'), ' ' order by place) into listed
  from unnest(p_refused) with ordinality refused (r, place) where place <= 5;
  raise exception '%', case
      when p_total = 1 then listed
      else format('Nothing was %s: %s of %s rows can''t be. %s', p_done, refusals, p_total, listed)
        || case when refusals > 5 then format(' And %s more.', refusals - 5) else '' end
    end
    using errcode = 'PT409', detail = to_jsonb(p_refused[:200])::text;
end
$$;
grant execute on function private.refuse_many to authenticated;

-- Updates these columns of the rows {id, set} in $1.
create function private.update_statement(p_table text, p_columns text) returns text
language sql immutable set search_path = ''
return format(
  'update public.%1$I t set (%2$s) = (select %2$s from jsonb_populate_record(t, w.row -> ''set''))
    from unnest($1) w (row) where t.id = (w.row ->> ''id'')::uuid', p_table, p_columns
);
grant execute on function private.update_statement to authenticated;

-- Updates all rows in one statement. Returns how many, or null if one was refused.
create function private.update_rows(p_table text, p_columns text, p_rows jsonb[]) returns integer
language plpgsql set search_path = '' as $$
declare
  updated integer;
  state text;
begin
  execute private.update_statement(p_table, p_columns) using p_rows;
  get diagnostics updated = row_count;
  if updated < cardinality(p_rows) then
    raise exception 'Some rows were left out.' using errcode = 'PT409';
  end if;
  return updated;
exception when others then
  get stacked diagnostics state = returned_sqlstate;
  if state like '40%' then
    raise;
  end if;
  return null;
end
$$;
grant execute on function private.update_rows to authenticated;

-- The reason of a refusal in plain words, where PostgreSQL's own message names a constraint or a policy.
create function private.reason_of(p_state text, p_message text, p_constraint text) returns text
language sql immutable set search_path = ''
return case
  when p_constraint = 'attendance_one_open_per_person' then 'The guard has clocked in again since.'
  when p_constraint = 'attendance_out_after_in' then 'The clock-in is after the end of the shift.'
  when p_constraint = 'certifications_expire_after_issue' then 'It would expire before it was issued.'
  when p_message !~ 'violates|permission denied' then p_message
  when p_state = '42501' then 'You may not change it.'
  when p_state = '23505' then 'It exists already.'
  when p_state = '23503' then 'A record that it refers to no longer exists.'
  when p_state = '23P01' then 'It overlaps another record.'
  else 'A value is not allowed.'
end;
grant execute on function private.reason_of to authenticated;

-- Applies {id, set, seen} to rows of a table, all or none. With `seen`, the row must not have changed since that
-- `updated_at`; every row must still have the values in p_expected.
-- Returns {id, seen, was} of the rows that changed, for restore_values.
create function private.change_rows(p_table text, p_rows jsonb, p_expected jsonb default '{}') returns jsonb
language plpgsql set search_path = '' as $$
declare
  allowed text[] := private.columns_of_many(p_table);
  total integer := jsonb_array_length(p_rows);
  before jsonb;
  columns text;
  waiting jsonb[];
  again jsonb[];
  entry jsonb;
  updated integer;
  refused jsonb[];
  state text;
  message text;
  broken text;
begin
  if exists (
    select from jsonb_array_elements(p_rows) r
    where jsonb_typeof(r -> 'set') is distinct from 'object' or r -> 'set' = '{}'
      or exists (
        select from jsonb_each_text(r -> 'set') v
        where v.key <> all (allowed) or not p_rows -> 0 -> 'set' ? v.key
          or v.value ~* '^\s*[-+]?inf(inity)?\s*$'
      )
  ) then
    raise exception 'These values can''t be set in many rows at once.' using errcode = 'invalid_parameter_value';
  end if;
  select string_agg(format('%I', key), ', ' order by key) into columns
  from jsonb_object_keys(p_rows -> 0 -> 'set') key;
  -- In order of id, so that two calls about the same rows take turns and never deadlock.
  execute format(
    'select coalesce(jsonb_object_agg(l.id, to_jsonb(l)), ''{}'')
      from (select t.* from public.%I t where t.id = any ($1) order by t.id for update) l', p_table
  ) into before using array(select (r ->> 'id')::uuid from jsonb_array_elements(p_rows) r);

  select array_agg(jsonb_build_object('id', r.row -> 'id', 'reason', found.obstacle,
    'name', private.name_of_row(p_table, before -> (r.row ->> 'id'))) order by r.place)
  into refused
  from jsonb_array_elements(p_rows) with ordinality r (row, place)
  cross join lateral (
    select private.obstacle_of(before -> (r.row ->> 'id'), (r.row ->> 'seen')::timestamptz, p_expected) as obstacle
  ) found
  where found.obstacle is not null;
  perform private.refuse_many(refused, total, 'changed');

  waiting := array(
    select r.row from jsonb_array_elements(p_rows) with ordinality r (row, place)
    where not before -> (r.row ->> 'id') @> (r.row -> 'set') order by r.place
  );
  updated := private.update_rows(p_table, columns, waiting);
  -- One statement could not do it: row by row, to learn which rows are refused and why. A row may also have been in the
  -- way of another one, for example a guard's next shift when both move: those are tried again, as long as that helps.
  again := case when updated is distinct from cardinality(waiting) then waiting else '{}' end;
  while again <> '{}' loop
    total := cardinality(again);
    waiting := again;
    again := '{}';
    refused := '{}';
    foreach entry in array waiting loop
      begin
        execute private.update_statement(p_table, columns) using array[entry];
        get diagnostics updated = row_count;
        if updated = 0 then
          raise exception 'You may not change it.' using errcode = 'PT409';
        end if;
      exception when others then
        get stacked diagnostics state = returned_sqlstate, message = message_text, broken = constraint_name;
        -- A deadlock or a lost race is no reason of this row.
        if state like '40%' then
          raise;
        end if;
        again := again || entry;
        refused := refused || jsonb_build_object('id', entry -> 'id',
          'name', private.name_of_row(p_table, before -> (entry ->> 'id')),
          'reason', private.reason_of(state, message, broken));
      end;
    end loop;
    if cardinality(again) = total then
      perform private.refuse_many(refused, jsonb_array_length(p_rows), 'changed');
    end if;
  end loop;

  return (
    -- d_touch sets updated_at of every changed row to the time of the transaction.
    select coalesce(jsonb_agg(jsonb_build_object('id', r.row -> 'id', 'seen', now(), 'was', (
      select jsonb_object_agg(key, before -> (r.row ->> 'id') -> key) from jsonb_object_keys(r.row -> 'set') key
    )) order by r.place), '[]')
    from jsonb_array_elements(p_rows) with ordinality r (row, place)
    where not before -> (r.row ->> 'id') @> (r.row -> 'set')
  );
end
$$;
grant execute on function private.change_rows to authenticated;

-- Sets the same values in many rows, if all of them still have the values in p_expected.
create function public.change_records(p_table text, p_ids uuid[], p_values jsonb, p_expected jsonb default '{}')
returns jsonb
language plpgsql set search_path = '' as $$
begin
  if private.columns_of_many(p_table) is null then
    raise exception 'Rows of this kind can''t be changed together.' using errcode = 'invalid_parameter_value';
  end if;
  perform private.require_many(p_ids);
  if jsonb_typeof(p_values) is distinct from 'object' or jsonb_typeof(p_expected) is distinct from 'object' then
    raise exception 'Send the values as an object.' using errcode = 'invalid_parameter_value';
  end if;
  return private.change_rows(
    p_table,
    (
      select jsonb_agg(jsonb_build_object('id', wanted.id, 'set', p_values))
      from (select distinct u.id from unnest(p_ids) u (id) order by 1) wanted
    ),
    p_expected
  );
end
$$;
grant execute on function public.change_records to authenticated;

-- Whether many rows of this table can be deleted, and restored, in one call.
-- Never null.
create function private.is_deletable(p_table text) returns boolean
language sql immutable set search_path = ''
return coalesce(p_table in ('bank_accounts', 'certifications', 'deployments', 'expense_reports', 'financial_statements',
  'loans', 'payroll', 'shifts', 'user_roles'), false);
grant execute on function private.is_deletable to authenticated;

create function private.require_deletable(p_table text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if not private.is_deletable(p_table) then
    raise exception 'Rows of this kind can''t be deleted together.' using errcode = 'invalid_parameter_value';
  end if;
end
$$;
grant execute on function private.require_deletable to authenticated;

-- Deletes rows in one statement. Returns whether all of them were deleted; if not, none was.
create function private.delete_rows(p_table text, p_ids uuid[]) returns boolean
language plpgsql set search_path = '' as $$
declare
  gone integer;
  state text;
begin
  execute format('delete from public.%I t where t.id = any ($1)', p_table) using p_ids;
  get diagnostics gone = row_count;
  if gone < cardinality(p_ids) then
    raise exception 'Some rows were left out.' using errcode = 'PT409';
  end if;
  return true;
exception when others then
  get stacked diagnostics state = returned_sqlstate;
  if state like '40%' then
    raise;
  end if;
  return false;
end
$$;
grant execute on function private.delete_rows to authenticated;

-- Deletes rows, all or none, and returns them for restore_records; shifts with their assignments.
create function public.delete_records(p_table text, p_ids uuid[]) returns jsonb
language plpgsql set search_path = '' as $$
declare
  chosen uuid[];
  wanted uuid;
  before jsonb;
  gone integer;
  refused jsonb[];
  state text;
  message text;
  broken text;
begin
  perform private.require_deletable(p_table);
  perform private.require_many(p_ids);
  chosen := array(select distinct u.id from unnest(p_ids) u (id) order by 1);
  execute format(
    'select coalesce(jsonb_object_agg(t.id, to_jsonb(t)), ''{}'') from public.%I t where t.id = any ($1)', p_table
  ) into before using chosen;
  if p_table = 'shifts' then
    select coalesce(jsonb_object_agg(h.key, h.value || jsonb_build_object('assignments', (
      select coalesce(jsonb_agg(to_jsonb(a)), '[]')
      from public.assignments a where a.shift_id = h.key::uuid
    ))), '{}') into before
    from jsonb_each(before) h;
  end if;
  select array_agg(jsonb_build_object('id', u.id, 'reason', found.obstacle,
    'name', private.name_of_row(p_table, before -> u.id::text)) order by u.id)
  into refused
  from unnest(chosen) u (id)
  cross join lateral (
    select case
      when not before ? u.id::text then 'It no longer exists, or you may not delete it.'
      when p_table = 'user_roles' and before -> u.id::text ->> 'user_id' = auth.uid()::text
        then 'You can''t change your own roles.'
    end as obstacle
  ) found
  where found.obstacle is not null;
  perform private.refuse_many(refused, cardinality(chosen), 'deleted');

  if not private.delete_rows(p_table, chosen) then
    -- Row by row, to learn which rows are refused and why.
    foreach wanted in array chosen loop
      begin
        execute format('delete from public.%I t where t.id = $1', p_table) using wanted;
        get diagnostics gone = row_count;
        if gone = 0 then
          raise exception 'You may not delete it.' using errcode = 'PT409';
        end if;
      exception when others then
        get stacked diagnostics state = returned_sqlstate, message = message_text, broken = constraint_name;
        if state like '40%' then
          raise;
        end if;
        refused := refused || jsonb_build_object('id', wanted,
          'name', private.name_of_row(p_table, before -> wanted::text),
          'reason', private.reason_of(state, message, broken));
      end;
    end loop;
    perform private.refuse_many(refused, cardinality(chosen), 'deleted');
  end if;
  return (select jsonb_agg(before -> u.id::text order by u.id) from unnest(chosen) u (id));
end
$$;
grant execute on function public.delete_records to authenticated;

-- Text as searches compare it: without accents, apostrophes, hyphens, dots and the marks in phone numbers, in lower
-- case. foldText in shared/search-text.ts repeats it for lists that filter in the browser. No fixed search path, so
-- that the planner can inline it and find the indexes on it.
create function private.folded(written text) returns text
language sql immutable parallel safe
return translate(replace(replace(replace(
  lower(regexp_replace(
    normalize(translate(written, '''’‘ʼʻ′´`-‐‑‒–—.()+/', ''), nfkd), '[\u0300-\u036f]', '', 'g'
  )),
  'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'łøđðıŋɛɔɓɗħς', 'loddineobdhσ');
grant execute on function private.folded to authenticated, service_role;

-- The words of a search as patterns for `like all`: a folded text matches if it contains every word. At most eight
-- words of the first 200 characters; `*` is a wildcard, as in the filters of PostgREST. A phone number is one word,
-- however it is spaced, and is compared without country code and trunk 0. Lists send the same patterns, from
-- searchPatterns in web/lib/data/search-filter.ts; tests/rules/platform/search.test.ts compares both.
create function private.search_patterns(search text) returns text[]
language sql immutable set search_path = ''
return array(
  select '%' || replace(replace(replace(replace(folded.word, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%') || '%'
  from (
    select part.word, part.place
    from (
      -- What \s matches in JavaScript.
      select '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+' as space, left(search, 200) as text
    ) given
    cross join regexp_split_to_table(
      case
        when regexp_replace(given.text, given.space, '', 'g') ~ '^\(?(\+|0|231)[0-9().+/-]*$'
          and regexp_replace(given.text, '[^0-9]', '', 'g') ~ '.{7}'
        then regexp_replace(given.text, given.space, '', 'g')
        else given.text
      end,
      given.space
    ) with ordinality part (word, place)
    where part.word <> ''
    order by part.place
    limit 8
  ) found
  cross join lateral (
    select regexp_replace(private.folded(found.word), '^(?=[0-9]{6,}$)(?:(?:00)?231)?0?([0-9]{4,})$', '\1') as word
  ) folded
  where folded.word <> ''
  order by found.place
);
grant execute on function private.search_patterns to authenticated;

-- The command menu: records by their name or number, people and contacts of clients by their phone too. Of a kind, one
-- more than is shown. The id of a contact is that of the client, whose page shows the contact.
create function public.find_records(p_text text)
returns table (kind text, id uuid, title text, detail text, start_time timestamptz, timezone text)
language sql stable set search_path = '' as $$
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
  )
  union all
  (
    select 'invoice', i.id, i.number, c.name, null, null
    from public.invoices i join public.clients c on c.id = i.client_id, words w
    where cardinality(w.patterns) > 0 and private.folded(i.number) like all (w.patterns)
    order by i.number desc, i.id limit 21
  )
  union all
  (
    select 'contact', k.client_id, k.full_name, concat_ws(', ', c.name, k.phone, k.email), null, null
    from public.client_contacts k join public.clients c on c.id = k.client_id, words w
    where cardinality(w.patterns) > 0 and k.revoked_at is null
      and private.folded(concat_ws(' ', k.full_name, k.email, k.phone)) like all (w.patterns)
    order by k.full_name, k.id limit 21
  )
  union all
  (
    select 'post', p.id, p.name, s.name, null, null
    from public.posts p join public.sites s on s.id = p.site_id, words w
    where cardinality(w.patterns) > 0 and private.folded(concat_ws(' ', p.name, p.code, s.name)) like all (w.patterns)
      and (p.valid_to is null or p.valid_to >= private.company_date())
    order by p.name, s.name, p.id limit 21
  )
  union all
  (
    select 'orders', o.id, o.title, concat_ws(', ', o.post_name, o.site_name), null, null
    from public.newest_post_orders o, words w
    where cardinality(w.patterns) > 0 and public.search_text(o) like all (w.patterns)
    order by o.title, o.site_name, o.id limit 21
  )
  union all
  (
    select 'contract', t.id, t.title, c.name, null, null
    from public.contracts t join public.clients c on c.id = t.client_id, words w
    where cardinality(w.patterns) > 0 and private.folded(concat_ws(' ', c.name, t.title)) like all (w.patterns)
    order by c.name, t.starts_on desc, t.id limit 21
  )
  union all
  (
    select 'enquiry', m.id, coalesce(m.company, m.name), concat_ws(', ', m.name, m.email), null, null
    from public.contact_messages m, words w
    where cardinality(w.patterns) > 0
      and private.folded(concat_ws(' ', m.name, m.email, m.company)) like all (w.patterns)
    order by m.created_at desc, m.id limit 21
  )
  union all
  (
    select 'quote', q.id, coalesce(q.number, 'Draft'), concat_ws(', ', q.client_name, q.site_name), null, null
    from public.quotes q, words w
    where cardinality(w.patterns) > 0
      and private.folded(concat_ws(' ', q.number, q.client_name, q.site_name)) like all (w.patterns)
    order by q.created_at desc, q.id limit 21
  )
  union all
  (
    -- Of a year: older ones are found in their list.
    select 'incident', i.id, i.title, s.name, i.created_at, s.timezone
    from public.incidents i join public.sites s on s.id = i.site_id, words w
    where cardinality(w.patterns) > 0 and i.created_at > now() - interval '1 year'
      and private.folded(concat_ws(' ', i.title, s.name)) like all (w.patterns)
    order by i.created_at desc, i.id limit 21
  );
$$;
comment on function public.find_records is 'Nullable: detail, start_time, timezone';
grant execute on function public.find_records to authenticated;

-- p_lines: the numbers of the rows in the file.
create function public.import_records(p_table text, p_rows jsonb, p_lines integer[] DEFAULT NULL::integer[])
returns integer
language plpgsql set search_path = '' set statement_timeout = '60s' as $function$
declare
  row_number integer := 0;
  entry jsonb;
  columns text;
  added integer;
  reason text;
  state text;
begin
  if p_table is null or p_table not in
    ('clients', 'sites', 'staff', 'financial_statements', 'expense_reports', 'bank_accounts', 'loans')
  then
    raise exception 'Records of this kind can''t be imported.' using errcode = 'invalid_parameter_value';
  end if;
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and 5000 then
    raise exception 'An import has between 1 and 5000 rows.' using errcode = 'invalid_parameter_value';
  end if;
  -- All in one statement, whose triggers run once; row by row only to name the one that is refused.
  begin
    select string_agg(format('%I', key), ', ' order by key) into columns from jsonb_object_keys(p_rows -> 0) key;
    if not exists (
      select from jsonb_array_elements(p_rows) e
      where array(select jsonb_object_keys(e) order by 1) <> array(select jsonb_object_keys(p_rows -> 0) order by 1)
    ) then
      execute format(
        'insert into public.%I (%s) select %s from jsonb_populate_recordset(null::public.%I, $1)',
        p_table, columns, columns, p_table
      ) using p_rows;
      get diagnostics added = row_count;
      return added;
    end if;
  exception when others then
    get stacked diagnostics state = returned_sqlstate;
    if state like '40%' then
      raise;
    end if;
  end;
  for entry in select value from jsonb_array_elements(p_rows) loop
    row_number := row_number + 1;
    begin
      if jsonb_typeof(entry) <> 'object' or entry = '{}' then
        raise exception 'it is not a record' using errcode = 'invalid_parameter_value';
      end if;
      select string_agg(format('%I', key), ', ' order by key) into columns from jsonb_object_keys(entry) key;
      execute format(
        'insert into public.%I (%s) select %s from jsonb_populate_record(null::public.%I, $1)',
        p_table, columns, columns, p_table
      ) using entry;
    exception when others then
      get stacked diagnostics reason = message_text, state = returned_sqlstate;
      raise exception '%: %', 'Row ' || coalesce(p_lines[row_number], row_number), reason
        using errcode = state;
    end;
  end loop;
  return row_number;
end
$function$;
grant execute on function public.import_records to authenticated;

create function private.require_many_rows(p_rows jsonb) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if jsonb_typeof(p_rows) is distinct from 'array' or jsonb_array_length(p_rows) not between 1 and private.most_rows()
    or exists (select from jsonb_array_elements(p_rows) e where jsonb_typeof(e) <> 'object' or e ->> 'id' is null)
  then
    raise exception 'Send between 1 and % rows, each with its id.', private.most_rows()
      using errcode = 'invalid_parameter_value';
  end if;
end
$$;
grant execute on function private.require_many_rows to authenticated;

-- Inserts deleted rows again, in one statement.
create function private.insert_rows(p_table text, p_rows jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  columns text;
begin
  select string_agg(format('%I', a.attname), ', ') into columns
  from pg_catalog.pg_attribute a
  where a.attrelid = format('public.%I', p_table)::regclass and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and p_rows -> 0 ? a.attname::text;
  execute format('insert into public.%1$I (%2$s) select %2$s from jsonb_populate_recordset(null::public.%1$I, $1)',
    p_table, columns) using p_rows;
end
$$;
grant execute on function private.insert_rows to authenticated;

-- Inserts deleted rows again, shifts with their assignments. Returns false, and inserts none, if one is refused.
create function private.restore_rows(p_table text, p_rows jsonb) returns boolean
language plpgsql set search_path = '' as $$
declare
  state text;
begin
  perform private.insert_rows(p_table, p_rows);
  if p_table = 'shifts' then
    perform private.insert_assignments(array(
      select jsonb_populate_record(null::public.assignments, a || jsonb_build_object('shift_id', h.row ->> 'id'))
      from jsonb_array_elements(p_rows) h (row), jsonb_array_elements(h.row -> 'assignments') a
    ));
  end if;
  return true;
exception when others then
  get stacked diagnostics state = returned_sqlstate;
  if state like '40%' then
    raise;
  end if;
  return false;
end
$$;
grant execute on function private.restore_rows to authenticated;

-- Undo of delete_records: inserts the rows again, all or none. Guards of a restored shift who work elsewhere by now are
-- left out, with the reason.
create function public.restore_records(p_table text, p_rows jsonb) returns table (restored integer, left_out text[])
language plpgsql set search_path = '' as $$
declare
  entry jsonb;
  missing text[];
  refused jsonb[] := '{}';
  state text;
  message text;
  broken text;
begin
  perform private.require_deletable(p_table);
  perform private.require_many_rows(p_rows);
  restored := jsonb_array_length(p_rows);
  left_out := '{}';
  if private.restore_rows(p_table, p_rows) then
    return next;
    return;
  end if;
  -- Row by row, to learn which rows are refused and why.
  for entry in select r from jsonb_array_elements(p_rows) r order by r ->> 'start_time', r ->> 'id' loop
    begin
      if p_table = 'shifts' then
        select r.left_out into missing
        from public.restore_shift(entry - 'assignments', coalesce(entry -> 'assignments', '[]')) r;
        left_out := left_out || missing;
      else
        perform private.insert_rows(p_table, jsonb_build_array(entry));
      end if;
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text, broken = constraint_name;
      if state like '40%' then
        raise;
      end if;
      refused := refused || jsonb_build_object('id', entry -> 'id', 'name', private.name_of_row(p_table, entry),
        'reason', private.reason_of(state, message, broken));
    end;
  end loop;
  perform private.refuse_many(refused, jsonb_array_length(p_rows), 'restored');
  return next;
end
$$;
grant execute on function public.restore_records to authenticated;

-- Undo of a call that changed many rows: restores the earlier values, if no row has changed since.
-- p_rows is what that call returned.
create function public.restore_values(p_table text, p_rows jsonb) returns integer
language plpgsql set search_path = '' as $$
declare
  restored jsonb;
begin
  if private.columns_of_many(p_table) is null then
    raise exception 'Rows of this kind can''t be changed together.' using errcode = 'invalid_parameter_value';
  end if;
  perform private.require_many_rows(p_rows);
  if p_table = 'shifts' then
    perform private.lock_guards_of(array(select (r ->> 'id')::uuid from jsonb_array_elements(p_rows) r));
  end if;
  restored := private.change_rows(p_table, (
    select jsonb_agg(jsonb_build_object('id', r.row -> 'id', 'set', r.row -> 'was',
      'seen', coalesce(r.row ->> 'seen', '-infinity')) order by r.place)
    from jsonb_array_elements(p_rows) with ordinality r (row, place)
  ));
  -- Clocking out completed the assignment; reopening the record alone would leave it as confirmed.
  if p_table = 'attendance' then
    update public.assignments a set status = r.row ->> 'assignment_status'
    from public.attendance t, jsonb_array_elements(p_rows) r (row)
    where t.id = (r.row ->> 'id')::uuid and a.id = t.assignment_id and t.clock_out_at is null
      and a.status = 'confirmed' and r.row ->> 'assignment_status' = 'assigned';
  end if;
  return jsonb_array_length(restored);
end
$$;
grant execute on function public.restore_values to authenticated;

-- The folded text that a search of each list looks in. Lists filter by it as a computed column, and totals use it too.
-- Most have no fixed search path, so that the planner can inline them; the policies of the caller decide what is read.
create function public.search_text(client public.clients) returns text
language sql stable return private.folded(client.name || ' ' || coalesce(client.location, ''));
grant execute on function public.search_text(client public.clients) to authenticated;

create function public.search_text(site public.sites) returns text
language sql stable
return private.folded(site.name || ' ' || coalesce(site.client_name, '') || ' ' || coalesce(site.address, ''));
grant execute on function public.search_text(site public.sites) to authenticated;

create function public.search_text(post public.posts) returns text
language sql stable return private.folded(post.name);
grant execute on function public.search_text(post public.posts) to authenticated;

create function public.search_text(orders public.newest_post_orders) returns text
language sql stable return private.folded(concat_ws(' ', orders.title, orders.site_name, orders.post_name));
grant execute on function public.search_text(orders public.newest_post_orders) to authenticated;

create function public.search_text(shift public.shift_board) returns text
language sql stable return private.folded(concat_ws(' ', shift.site_name, shift.client_name, shift.notes));
grant execute on function public.search_text(shift public.shift_board) to authenticated;

-- The week of sites searches sites only.
create function public.search_site(shift public.shift_board) returns text
language sql stable return private.folded(concat_ws(' ', shift.site_name, shift.client_name));
grant execute on function public.search_site to authenticated;

create function public.search_text(deployment public.deployments) returns text
language sql stable
return private.folded(concat_ws(' ', deployment.guard_name, deployment.location, deployment.client_name));
grant execute on function public.search_text(deployment public.deployments) to authenticated;

create function public.search_text(seat public.attendance_overview) returns text
language sql stable return private.folded(seat.guard_name);
grant execute on function public.search_text(seat public.attendance_overview) to authenticated;

create function public.search_text(request public.leave_overview) returns text
language sql stable return private.folded(concat_ws(' ', request.person_name, request.reason));
grant execute on function public.search_text(request public.leave_overview) to authenticated;

create function public.search_text(written public.announcement_list) returns text
language sql stable return private.folded(concat_ws(' ', written.title, written.body, written.author));
grant execute on function public.search_text(written public.announcement_list) to authenticated;

create function public.search_text(enquiry public.contact_messages) returns text
language sql stable
return private.folded(concat_ws(' ', enquiry.name, enquiry.email, enquiry.company, enquiry.message, enquiry.note));
grant execute on function public.search_text(enquiry public.contact_messages) to authenticated;

create function public.search_text(person public.profiles) returns text
language sql stable
return private.folded(
  coalesce(person.full_name, '') || ' ' || coalesce(person.email, '') || ' ' || coalesce(person.phone, '')
);
grant execute on function public.search_text(person public.profiles) to authenticated;

create function public.search_text(account public.user_accounts) returns text
language sql stable return private.folded(concat_ws(' ', account.full_name, account.email, account.phone));
grant execute on function public.search_text(account public.user_accounts) to authenticated;

create function public.search_text(person public.people_list) returns text
language sql stable return private.folded(concat_ws(' ', person.name, person.email, person.phone));
grant execute on function public.search_text(person public.people_list) to authenticated;

create function public.search_text(person public.staff) returns text
language sql stable
return private.folded(person.full_name || ' ' || coalesce(person.email, '') || ' ' || coalesce(person.phone, ''));
grant execute on function public.search_text(person public.staff) to authenticated;

-- Lists of pay search the name only.
create function public.search_name(person public.staff) returns text
language sql stable return private.folded(person.full_name);
grant execute on function public.search_name to authenticated;

create function public.search_text(a public.pay_adjustments) returns text
language sql stable set search_path = '' as $$
  select private.folded(concat_ws(e'\n', (select s.full_name from public.staff s where s.id = a.staff_id),
    (select p.full_name from public.profiles p where p.id = a.user_id), a.explanation));
$$;
grant execute on function public.search_text(a public.pay_adjustments) to authenticated, service_role;

create function public.search_text(contract public.contracts) returns text
language sql stable
return private.folded(
  concat_ws(' ', (select c.name from public.clients c where c.id = contract.client_id), contract.title)
);
grant execute on function public.search_text(contract public.contracts) to authenticated;

create function public.search_text(invoice public.invoices) returns text
language sql stable
return private.folded(
  concat_ws(' ', (select c.name from public.clients c where c.id = invoice.client_id), invoice.number)
);
grant execute on function public.search_text(invoice public.invoices) to authenticated;

-- The first letter of a script that the fonts of PDFs lack (shared/documents/printable.ts); null without one.
create function private.unprintable(written text) returns text
language sql immutable set search_path = ''
return substring(normalize(written, nfc)
  from '[\u0530-\u05ff\u0700-\u1cff\u2c80-\ua63f\ua800-\uab2f\uabc0-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]');

grant execute on function private.unprintable to authenticated, service_role;

-- Arguments: columns that invoices, statements and letters print.
create function private.refuse_unprintable() returns trigger
language plpgsql set search_path = '' as $$
declare
  letter text;
begin
  for i in 0..tg_nargs - 1 loop
    letter := private.unprintable(to_jsonb(new) ->> tg_argv[i]);
    if letter is not null then
      raise exception 'Invoices and letters can''t print "%". Use Latin, Greek, Cyrillic or Arabic letters.', letter
        using errcode = 'check_violation';
    end if;
  end loop;
  return new;
end
$$;

-- What a search finds by its index. PostgreSQL evaluates a caller's own condition only after the policies, where it
-- can't use an index for `like`; so these read as the owner, return ids only, and the statement that calls them reads
-- the rows under the policies of the caller. The longest word goes to the index, which `like all` can't use.
create function private.longest(patterns text[]) returns text
language sql immutable set search_path = ''
return (select p.pattern from unnest(patterns) p (pattern) order by char_length(p.pattern) desc limit 1);
grant execute on function private.longest to authenticated;

create function private.found_clients(patterns text[]) returns setof uuid
language sql stable security definer rows 20 set search_path = '' as $$
  select c.id from public.clients c
  where public.search_text(c) like private.longest(patterns) and public.search_text(c) like all (patterns);
$$;
grant execute on function private.found_clients to authenticated;

create function private.found_sites(patterns text[]) returns setof uuid
language sql stable security definer rows 20 set search_path = '' as $$
  select s.id from public.sites s
  where public.search_text(s) like private.longest(patterns) and public.search_text(s) like all (patterns);
$$;
grant execute on function private.found_sites to authenticated;

create function private.found_people(patterns text[]) returns setof uuid
language sql stable security definer rows 20 set search_path = '' as $$
  select p.id from public.profiles p
  where public.search_text(p) like private.longest(patterns) and public.search_text(p) like all (patterns);
$$;
grant execute on function private.found_people to authenticated;

create function private.found_staff(patterns text[]) returns setof uuid
language sql stable security definer rows 20 set search_path = '' as $$
  select s.id from public.staff s
  where public.search_text(s) like private.longest(patterns) and public.search_text(s) like all (patterns);
$$;
grant execute on function private.found_staff to authenticated;

-- Whether these are the headings of an answer, by what they contain: {"code": "Reference", "status": "Status"}.
create function private.are_result_columns(p_columns jsonb) returns boolean
language plpgsql immutable set search_path = '' as $$
begin
  return coalesce(jsonb_typeof(p_columns), '') = 'object'
    and p_columns ? 'code' and p_columns ? 'status'
    and not exists (
      select from jsonb_each_text(p_columns) c
      where c.key not in ('code', 'status', 'amount', 'reference', 'date', 'reason')
        or char_length(btrim(coalesce(c.value, ''))) not between 1 and 60
    );
end
$$;
grant execute on function private.are_result_columns to authenticated, service_role;

-- An IPv4 address, or the /64 of an IPv6 one; 0.0.0.0 for anything else.
create function private.network_of(p_address text) returns inet
language plpgsql immutable set search_path = '' as $$
declare
  told text := regexp_replace(btrim(p_address), '^::ffff:(?=\d+\.)', '', 'i');
  address inet;
begin
  address := coalesce(nullif(split_part(told, '%', 1), ''), '0.0.0.0')::inet;
  return network(set_masklen(address, case family(address) when 4 then 32 else 64 end));
exception when invalid_text_representation then
  return '0.0.0.0/32'::inet;
end
$$;

-- The caller's IPv4 address, or their /64 network, which is what one IPv6 customer gets. The server in front sets
-- x-forwarded-for; all callers without it share one address, so leaving it out gains nothing.
create function private.caller_network() returns inet
language sql stable set search_path = ''
return private.network_of(split_part(nullif(current_setting('request.headers', true), '')::json ->> 'x-forwarded-for',
  ',', 1));

-- The company's day of an instant.
create function private.company_date_of(at timestamptz) returns date
language sql stable security definer set search_path = '' as $$
  select (at at time zone s.time_zone)::date from private.settings s;
$$;
grant execute on function private.company_date_of to authenticated, service_role;

-- A day of the company, from midnight to midnight.
create function private.company_day(day date) returns tstzrange
language sql stable security definer set search_path = '' as $$
  select tstzrange(day::timestamp at time zone s.time_zone, (day + 1)::timestamp at time zone s.time_zone)
  from private.settings s;
$$;
grant execute on function private.company_day to authenticated;

-- The instant at which a day of the company begins.
create function private.company_midnight(day date) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select day::timestamp at time zone s.time_zone from private.settings s;
$$;
grant execute on function private.company_midnight to authenticated;

create function private.count_text(p_count bigint, p_noun text) returns text
language sql immutable set search_path = ''
return p_count || ' ' || p_noun || case when p_count = 1 then '' else 's' end;

-- A field of a CSV line (RFC 4180). A name that starts like a formula gets an apostrophe, as in our other exports,
-- since spreadsheets would run it; numbers and accounts stay as the bank needs them.
create function private.csv_field(p_value text, p_delimiter text, p_is_name boolean default false) returns text
language sql immutable set search_path = ''
return (
  select case
    when shown ~ '["\r\n]' or position(p_delimiter in shown) > 0 or shown <> btrim(shown)
      then '"' || replace(shown, '"', '""') || '"'
    else shown
  end
  from (
    select case when p_is_name and p_value ~ '^[-=+@\t\r]' then '''' || p_value else coalesce(p_value, '') end
  ) value (shown)
);

create function private.day_text(p_day date) returns text
language sql immutable set search_path = '' return to_char(p_day, 'Mon FMDD, YYYY');

-- The days of the company that a period touches, both ends included. A night shift touches two.
create function private.days_of(work tstzrange) returns daterange
language sql stable security definer set search_path = '' as $$
  select daterange(
    (lower(work) at time zone s.time_zone)::date,
    ((upper(work) - interval '1 microsecond') at time zone s.time_zone)::date,
    '[]'
  )
  from private.settings s;
$$;
grant execute on function private.days_of to authenticated;

-- Latitude and longitude of a text that is a position, and the text of both.
create function private.degrees_of(gps text) returns double precision[]
language sql immutable set search_path = ''
return array[split_part(gps, ',', 1)::double precision, split_part(gps, ',', 2)::double precision];
grant execute on function private.degrees_of to authenticated, service_role;

create function private.gps_text(latitude double precision, longitude double precision) returns text
language sql immutable set search_path = ''
return round(latitude::numeric, 6)::text || ',' || round(longitude::numeric, 6)::text;

-- Whether a text is a position: 'lat,lng' in degrees, as the clock dialog sends it. Null is an unknown position.
create function private.is_position(gps text) returns boolean
language sql immutable set search_path = ''
return gps is null or case
  when gps ~ '^-?\d{1,2}(\.\d{1,15})?, ?-?\d{1,3}(\.\d{1,15})?$'
  then abs((private.degrees_of(gps))[1]) <= 90 and abs((private.degrees_of(gps))[2]) <= 180
  else false
end;
grant execute on function private.is_position to authenticated, service_role;

-- Metres along the great circle (haversine, mean radius of the earth); null if either position is unknown.
create function private.distance_m(gps text, latitude double precision, longitude double precision) returns integer
language sql immutable set search_path = ''
return case when private.is_position(gps) and gps is not null and latitude is not null and longitude is not null then
  round(2 * 6371008.8 * asin(sqrt(least(1,
    sind(((private.degrees_of(gps))[1] - latitude) / 2) ^ 2
    + cosd(latitude) * cosd((private.degrees_of(gps))[1])
      * sind(((private.degrees_of(gps))[2] - longitude) / 2) ^ 2
  ))))::integer
end;

-- Phone numbers are read alike by the browser (shared/phone.ts) and the database: also with the trunk 0 behind the
-- country code, and with the spaces and marks that copying adds.
create function private.e164(written text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  number text;
begin
  -- Most stored numbers are written so; the rest costs ten times as much.
  if written ~ '^\+231[1-9][0-9]{6,8}$' then
    return written;
  end if;
  if char_length(written) > 60 then
    return null;
  end if;
  number := regexp_replace(written,
    '[\t-\r .\-/\u00A0\u00AD\u1680\u2000-\u2015\u2028-\u202F\u205F-\u2064\u2066-\u2069\u2212\u3000\uFEFF]', '', 'g');
  number := regexp_replace(number, '^(\(?(?:\+|00|231)[0-9()]*)\(0\)', '\1');
  number := regexp_replace(number, '[()]', '', 'g');
  number := regexp_replace(number, '^00', '+');
  number := regexp_replace(number, '^\+?2310?([1-9][0-9]{6,8})$', '+231\1');
  number := regexp_replace(number, '^0?([1-9][0-9]{6,8})$', '+231\1');
  if number like '+231%' and number !~ '^\+231[1-9][0-9]{6,8}$' then
    return null;
  end if;
  return case when number ~ '^\+[1-9][0-9]{6,14}$' then number end;
end
$$;
grant execute on function private.e164 to authenticated, service_role;

-- Hours in a message, with one decimal at most.
create function private.hours_text(p_hours numeric) returns text
language sql immutable set search_path = '' return trim_scale(round(p_hours, 1))::text;

-- All arrays one after another. Strict, so that a single array is passed on without being read.
create function private.join_ids(uuid[], uuid[]) returns uuid[] language sql immutable strict return $1 || $2;

-- "The period October 1 to 31, 2026 is locked."
create function private.locked_text(p_first date, p_last date) returns text
language sql immutable set search_path = ''
return format('The period %s to %s is locked.', to_char(p_first, 'FMMonth FMDD')
    || case when extract(year from p_first) <> extract(year from p_last) then to_char(p_first, ', YYYY') else '' end,
  case when date_trunc('month', p_first::timestamp) = date_trunc('month', p_last::timestamp)
    then to_char(p_last, 'FMDD, YYYY') else to_char(p_last, 'FMMonth FMDD, YYYY') end);

-- Tells the generated types which columns of a view are never null, which PostgreSQL can't infer.
create function private.mark_never_null(view regclass, variadic columns text[]) returns void
language plpgsql set search_path = '' as $$
declare
  name text;
begin
  foreach name in array columns loop
    execute format('comment on column %s.%I is %L', view, name, 'Never null');
  end loop;
end
$$;

-- As before, written so that the planner can inline it: the roster calls it for each time in its answer.
create function private.epoch_minutes(at timestamptz) returns bigint
language sql immutable return (extract(epoch from at - timestamptz '1970-01-01 00:00:00+00') / 60)::bigint;

-- Whole minutes between two instants; null without the second.
create function private.minutes_between(p_from timestamptz, p_to timestamptz) returns integer
language sql immutable set search_path = '' return floor(extract(epoch from p_to - p_from) / 60)::integer;

-- Minutes as people say them: "38 min", "1 h 5 min".
create function private.minutes_text(p_minutes numeric) returns text
language sql immutable set search_path = ''
return case when abs(p_minutes) < 60 then round(p_minutes) || ' min'
  else trunc(p_minutes / 60) || ' h' || case when mod(round(abs(p_minutes)), 60) > 0
    then ' ' || mod(round(abs(p_minutes)), 60) || ' min' else '' end end;

-- "US$1,234.50", "L$45,000.00"
create function private.money_text(p_amount numeric, p_currency text) returns text
language sql immutable set search_path = ''
return case p_currency when 'USD' then 'US$' else 'L$' end
  || to_char(p_amount, 'FM999,999,999,990.00' || case when p_amount <> round(p_amount, 2) then '9999' else '' end);
grant execute on function private.money_text to authenticated, service_role;

-- @returns for example "Akoi, Bendu and 3 more"
create function private.names_text(p_names text[]) returns text
language sql immutable set search_path = '' as $$
  select array_to_string(p_names[:5], ', ')
    || case when cardinality(p_names) > 5 then format(' and %s more', cardinality(p_names) - 5) else '' end;
$$;

-- "October 2026", or "Nov 2 to Nov 15, 2026"
create function private.period_text(p_first date, p_last date) returns text
language sql immutable set search_path = ''
return case when extract(day from p_first) = 1 and p_last = (p_first + interval '1 month - 1 day')::date
  then to_char(p_first, 'FMMonth YYYY')
  else to_char(p_first, 'Mon FMDD') || ' to ' || to_char(p_last, 'Mon FMDD, YYYY') end;

-- Refuses a day that no roster or timesheet can have, before it reaches date arithmetic or a series of days.
create function private.require_day(day date, label text default 'day') returns void
language plpgsql immutable set search_path = '' as $$
begin
  if day is null or not isfinite(day) or day not between '1900-01-01' and '2199-12-31' then
    raise exception 'The % must be a date from 1900 to 2199.', label using errcode = 'invalid_parameter_value';
  end if;
end
$$;
grant execute on function private.require_day to authenticated, service_role;

-- Runs the job, a function without arguments, unless another server runs it now or has run it a moment ago.
-- @returns whether it ran
create function private.run_job(p_job regproc, p_every interval) returns boolean
language plpgsql set search_path = '' as $$
declare
  job text := p_job::text;
begin
  if p_job is null or p_every is null then
    return false;
  end if;
  insert into private.jobs (name)
  select job where not exists (select from private.jobs j where j.name = job) on conflict do nothing;
  perform from private.jobs j where j.name = job and j.next_at <= now() for no key update skip locked;
  if not found then
    return false;
  end if;
  execute format('select %s()', p_job);
  update private.jobs j set next_at = now() + p_every, last_run_at = clock_timestamp(), runs = j.runs + 1
  where j.name = job;
  return true;
end
$$;

-- Trims the columns; an empty text becomes null. One function for each table, because its plans stay in the session.
create function private.tidy_texts_of(target regclass, variadic columns text[]) returns void
language plpgsql set search_path = '' as $$
declare
  -- What a form trims, including no-break and zero-width spaces. PostgreSQL 15 takes \v for the letter v.
  spaces text := E' \t\n\r\f\x0b\u00a0\u1680\u2000\u2001\u2002\u2003\u2007\u2009\u200b\u202f\u3000\ufeff';
  tidy text := 'tidy_' || (select c.relname from pg_catalog.pg_class c where c.oid = target);
begin
  execute format(
    E'create or replace function private.%I() returns trigger language plpgsql set search_path = \'\' as %L', tidy,
    E'begin\n' || (
      select string_agg(format(
        E'  if new.%1$I = \'\' or new.%1$I <> btrim(new.%1$I, %2$L) then\n'
          '    new.%1$I := nullif(btrim(new.%1$I, %2$L), \'\');\n  end if;\n',
        name, spaces
      ), '')
      from unnest(columns) name
    ) || E'  return new;\nend'
  );
  execute format('revoke all on function private.%I() from public', tidy);
  -- Replacing doesn't block readers, as dropping would.
  execute format(
    'create or replace trigger a_tidy_text before insert or update on %s for each row execute function private.%I()',
    target, tidy
  );
end
$$;

-- New entries of the activity log, the table with the most rows, have ids that begin with the time, as in UUID version
-- 7:
-- they go to the end of the primary key's index, which is in memory. Random ids read another page of it for each entry.
create function private.time_ordered_id() returns uuid
language sql
return (
  lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
    || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14)
)::uuid;
