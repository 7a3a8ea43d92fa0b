-- What lies in a locked timesheet stays as it is, for everybody, the server's own key included: the part of attendance,
-- plan, leave or decision inside it is neither added, changed nor removed. A fact that crosses the border may still
-- change in its open part.

-- Refuses if this person has a locked timesheet on a day that `changed` touches.
create function private.refuse_locked(p_user uuid, p_changed tstzrange) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  locked public.timesheets;
begin
  if p_user is null or p_changed is null or isempty(p_changed) then
    return;
  end if;
  select t.* into locked from public.timesheets t
  where t.user_id = p_user and t.status = 'locked'
    and daterange(t.period_start, t.period_end, '[]') && private.days_of(p_changed)
  order by t.period_start limit 1;
  if found then
    raise exception '%', private.locked_text(locked.period_start, locked.period_end) using errcode = 'PT409';
  end if;
end
$$;

-- Where two spans differ: between both starts, and between both ends.
create function private.refuse_locked_difference(p_user uuid, p_was tstzrange, p_is tstzrange) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  part tstzrange;
begin
  for part in select unnest((tstzmultirange(p_was) - tstzmultirange(p_is)) + (tstzmultirange(p_is) - tstzmultirange(p_was))) loop
    perform private.refuse_locked(p_user, part);
  end loop;
end
$$;

-- The span of a record of attendance: of an open one, its first minute.
create function private.span_of(r public.attendance) returns tstzrange
language sql immutable set search_path = ''
return tstzrange(r.clock_in_at, greatest(r.clock_out_at, r.clock_in_at + interval '1 minute'));

create function private.keep_locked_attendance() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.refuse_locked(new.user_id, private.span_of(new));
    return new;
  elsif tg_op = 'DELETE' then
    perform private.refuse_locked(old.user_id, private.span_of(old));
    return old;
  end if;
  if (new.user_id, new.assignment_id) is distinct from (old.user_id, old.assignment_id) then
    perform private.refuse_locked(old.user_id, private.span_of(old));
    perform private.refuse_locked(new.user_id, private.span_of(new));
  else
    perform private.refuse_locked_difference(old.user_id, private.span_of(old), private.span_of(new));
    -- Other columns say something about the whole record. Deleted accounts leave it.
    if private.span_of(new) = private.span_of(old) and to_jsonb(new) - '{updated_at,resolved_by,corrected_by}'::text[]
      <> to_jsonb(old) - '{updated_at,resolved_by,corrected_by}'::text[]
    then
      perform private.refuse_locked(old.user_id, private.span_of(old));
    end if;
  end if;
  return new;
end
$$;
-- After the rules, which derive the columns.
create trigger y_locked before insert or update or delete on public.attendance
  for each row execute function private.keep_locked_attendance();

create function private.keep_locked_assignment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.refuse_locked(new.user_id, new.period);
    return new;
  elsif tg_op = 'DELETE' then
    perform private.refuse_locked(old.user_id, old.period);
    return old;
  end if;
  if (new.user_id, new.shift_id, new.site_id, new.on_leave, new.status = 'no_show', new.status = 'cancelled')
    is distinct from
    (old.user_id, old.shift_id, old.site_id, old.on_leave, old.status = 'no_show', old.status = 'cancelled')
  then
    perform private.refuse_locked(old.user_id, old.period);
    perform private.refuse_locked(new.user_id, new.period);
  else
    perform private.refuse_locked_difference(old.user_id, old.period, new.period);
  end if;
  return new;
end
$$;
create trigger y_locked before insert on public.assignments
  for each row when (new.status <> 'cancelled') execute function private.keep_locked_assignment();
create trigger y_locked_changes before update on public.assignments
  for each row when (old.status <> 'cancelled' or new.status <> 'cancelled')
  execute function private.keep_locked_assignment();
create trigger y_locked_removals before delete on public.assignments
  for each row when (old.status <> 'cancelled') execute function private.keep_locked_assignment();

create function private.keep_locked_leave() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was daterange := case when tg_op <> 'INSERT' then case when old.status = 'approved'
    then daterange(old.start_date, old.end_date, '[]') end end;
  became daterange := case when tg_op <> 'DELETE' then case when new.status = 'approved'
    then daterange(new.start_date, new.end_date, '[]') end end;
  part daterange;
begin
  if tg_op = 'UPDATE' then
    if (new.user_id, new.type) is distinct from (old.user_id, old.type) then
      perform private.refuse_locked(new.user_id, tstzrange(private.company_midnight(lower(became)), private.company_midnight(upper(became))));
      became := null;
    end if;
  end if;
  for part in
    select unnest((datemultirange(w.r) - datemultirange(b.r)) + (datemultirange(b.r) - datemultirange(w.r)))
    from (select coalesce(was, 'empty') as r) w, (select coalesce(became, 'empty') as r) b
  loop
    perform private.refuse_locked(case when tg_op = 'INSERT' then new.user_id else old.user_id end,
      tstzrange(private.company_midnight(lower(part)), private.company_midnight(upper(part))));
  end loop;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger y_locked before insert or update or delete on public.leave_requests
  for each row execute function private.keep_locked_leave();

-- Decisions and disputes belong to a day of work.
create function private.keep_locked_decision() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  decided public.attendance;
begin
  select * into decided from public.attendance r
  where r.id = case when tg_op = 'INSERT' then new.attendance_id else old.attendance_id end;
  if decided.id is not null then
    perform private.refuse_locked(decided.user_id, private.span_of(decided));
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger y_locked before insert or update or delete on public.time_decisions
  for each row execute function private.keep_locked_decision();

create function private.keep_locked_dispute() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  day date := case when tg_op = 'INSERT' then new.day else old.day end;
begin
  perform private.refuse_locked(case when tg_op = 'INSERT' then new.user_id else old.user_id end, private.company_day(day));
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger y_locked before insert or update or delete on public.timesheet_disputes
  for each row execute function private.keep_locked_dispute();

-- A locked timesheet changes in one way: when its pay run was voided, it is approved again or locked by another run.
create function private.keep_locked_timesheet() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  is_void boolean;
begin
  if tg_op = 'UPDATE' and (new.status = 'approved' or new.pay_run_id <> old.pay_run_id) then
    -- By name: the table comes with a later migration.
    execute 'select exists (select from public.pay_runs r where r.id = $1 and r.status = ''void'')'
      into is_void using old.pay_run_id;
    if is_void and to_jsonb(new) - '{status,locked_at,pay_run_id}'::text[] = to_jsonb(old) - '{status,locked_at,pay_run_id}'::text[] then
      return new;
    end if;
  end if;
  -- Accounts that are deleted leave what they signed.
  if tg_op = 'UPDATE' and to_jsonb(new) - '{submitted_by,approved_by}'::text[] = to_jsonb(old) - '{submitted_by,approved_by}'::text[] then
    return new;
  end if;
  raise exception '%', private.locked_text(old.period_start, old.period_end) using errcode = 'PT409';
end
$$;
create trigger y_locked before update or delete on public.timesheets
  for each row when (old.status = 'locked') execute function private.keep_locked_timesheet();

-- Once per statement: a month of a company is tens of thousands of rows.
create function private.keep_locked_rows() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  locked public.timesheets;
begin
  if tg_op = 'INSERT' then
    select t.* into locked from public.timesheets t
    where t.status = 'locked' and t.id in (select n.timesheet_id from new_rows n) limit 1;
  else
    select t.* into locked from public.timesheets t
    where t.status = 'locked' and t.id in (select o.timesheet_id from old_rows o) limit 1;
  end if;
  if found then
    raise exception '%', private.locked_text(locked.period_start, locked.period_end) using errcode = 'PT409';
  end if;
  return null;
end
$$;
create trigger y_locked_inserts after insert on public.timesheet_days referencing new table as new_rows
  for each statement execute function private.keep_locked_rows();
create trigger y_locked_updates after update on public.timesheet_days referencing old table as old_rows
  for each statement execute function private.keep_locked_rows();
create trigger y_locked_deletes after delete on public.timesheet_days referencing old table as old_rows
  for each statement execute function private.keep_locked_rows();
create trigger y_locked_inserts after insert on public.time_segments referencing new table as new_rows
  for each statement execute function private.keep_locked_rows();
create trigger y_locked_updates after update on public.time_segments referencing old table as old_rows
  for each statement execute function private.keep_locked_rows();
create trigger y_locked_deletes after delete on public.time_segments referencing old table as old_rows
  for each statement execute function private.keep_locked_rows();

-- Rules and holidays of locked days stay as they are too.
create function private.keep_locked_rules() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  locked public.timesheets;
  since date := case when tg_op = 'INSERT' then new.effective_from else old.effective_from end;
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - '{name,sources,updated_at,created_by}'::text[]
    = to_jsonb(old) - '{name,sources,updated_at,created_by}'::text[]
  then
    return new;
  end if;
  if tg_op = 'UPDATE' then
    since := least(since, new.effective_from);
  end if;
  select t.* into locked from public.timesheets t where t.status = 'locked' and (
    t.period_end >= since
    or tg_op <> 'INSERT' and exists (select from public.time_segments s where s.time_rule_id = old.id and s.timesheet_id = t.id)
  ) order by t.period_end desc limit 1;
  if found then
    raise exception '% Add rules that begin after it.', private.locked_text(locked.period_start, locked.period_end)
      using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger y_locked before insert or update or delete on public.time_rules
  for each row execute function private.keep_locked_rules();

create function private.keep_locked_holidays() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  locked public.timesheets;
begin
  select t.* into locked from public.timesheets t where t.status = 'locked'
    and (tg_op <> 'INSERT' and old.day between t.period_start and t.period_end
      or tg_op <> 'DELETE' and new.day between t.period_start and t.period_end)
  limit 1;
  if found then
    raise exception '%', private.locked_text(locked.period_start, locked.period_end) using errcode = 'PT409';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger y_locked before insert or update or delete on public.company_holidays
  for each row execute function private.keep_locked_holidays();

-- TRUNCATE does not run the triggers of rows.
create function private.refuse_truncate_while_locked() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.timesheets t where t.status = 'locked') then
    raise exception 'Periods are locked, so this table can''t be emptied.' using errcode = 'PT409';
  end if;
  return null;
end
$$;
create trigger y_locked_truncate before truncate on public.attendance
  for each statement execute function private.refuse_truncate_while_locked();
create trigger y_locked_truncate before truncate on public.assignments
  for each statement execute function private.refuse_truncate_while_locked();
create trigger y_locked_truncate before truncate on public.leave_requests
  for each statement execute function private.refuse_truncate_while_locked();
create trigger y_locked_truncate before truncate on public.timesheets
  for each statement execute function private.refuse_truncate_while_locked();
create trigger y_locked_truncate before truncate on public.time_segments
  for each statement execute function private.refuse_truncate_while_locked();

revoke all on all functions in schema private from public;
