-- Deciding about hours: single minutes, disputed days, and whole timesheets. Nobody decides about their own.

-- Whether the caller decides about hours worked at all of these sites. A server without a caller does. Never null.
create function private.may_approve_time(p_sites uuid[]) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return auth.role() is null or auth.role() = 'service_role'
    or private.has_role('admin', 'ops_manager', 'hr', 'supervisor')
    or coalesce(cardinality(p_sites) > 0 and p_sites <@ private.supervised_sites(), false);
end
$$;

-- Whether a shift of this person in the period has not ended. Never null.
create function private.has_shifts_to_come(p_user uuid, p_first date, p_last date) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.assignments a
    where a.user_id = p_user and a.status in ('assigned', 'confirmed') and upper(a.period) > now()
      and a.period && tstzrange(private.company_midnight(p_first), private.company_midnight(p_last + 1))
  );
$$;

-- Why the caller can't approve this timesheet; null if they can.
create function private.refusal_of_approval(p_sheet public.timesheets) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return case
    when p_sheet.user_id = auth.uid() then 'Nobody approves their own timesheet.'
    when not private.may_approve_time(p_sheet.site_ids) then 'You don''t approve the hours of these sites.'
    when p_sheet.status = 'locked' then 'It is locked.'
    when p_sheet.open_issues = 1 then '1 issue is open.'
    when p_sheet.open_issues > 1 then p_sheet.open_issues || ' issues are open.'
    when private.has_shifts_to_come(p_sheet.user_id, p_sheet.period_start, p_sheet.period_end)
      then 'Shifts of this period are still to come.'
  end;
end
$$;

-- Approves these timesheets, each for itself: one that can't be approved does not hold up the others. Approving again
-- changes nothing. @returns how many are approved now that were not, and [{id, name, reason}] of the refused ones
create function public.approve_timesheets(ids uuid[]) returns table (approved integer, refused jsonb)
language plpgsql security definer set search_path = '' set statement_timeout = '60s' as $$
declare
  wanted uuid[] := array(select distinct i from unnest(approve_timesheets.ids) i where i is not null);
begin
  if approve_timesheets.ids is null or cardinality(wanted) > 5000 then
    raise exception 'Give at most 5000 timesheets.' using errcode = 'invalid_parameter_value';
  end if;
  if auth.role() = 'authenticated' then
    perform private.require_member();
  end if;
  perform from public.timesheets t where t.id = any (wanted) order by t.user_id, t.period_start for no key update;
  perform private.compute_waiting_time(array(select distinct t.user_id from public.timesheets t where t.id = any (wanted)));
  with judged as materialized (
    select t.id, t.user_id, t.status, private.refusal_of_approval(t) as reason
    from public.timesheets t where t.id = any (wanted)
  ), done as (
    update public.timesheets t
    set status = 'approved', approved_at = now(), approved_by = auth.uid(), note = null
    from judged j where j.id = t.id and j.reason is null and j.status in ('open', 'submitted')
    returning t.id
  )
  select (select count(*)::integer from done), coalesce(jsonb_agg(jsonb_build_object('id', w,
      'name', case when j.reason not like 'You don''t%' then private.someone(j.user_id) end,
      'reason', coalesce(j.reason, 'This timesheet no longer exists.')) order by w)
    filter (where j.id is null or j.reason is not null), '[]')
  into approved, refused
  from unnest(wanted) w left join judged j on j.id = w;
  return next;
end
$$;

-- A timesheet that the caller may change, locked until the transaction ends.
create function private.timesheet_to_change(p_id uuid) returns public.timesheets
language plpgsql security definer set search_path = '' as $$
declare
  sheet public.timesheets;
begin
  select * into sheet from public.timesheets t where t.id = p_id for no key update;
  if not found or sheet.user_id <> coalesce(auth.uid(), '00000000-0000-0000-0000-000000000000')
    and not private.may_approve_time(sheet.site_ids)
  then
    raise exception 'There is no such timesheet, or it is not yours to decide.' using errcode = 'PT404';
  end if;
  if sheet.status = 'locked' then
    raise exception '%', private.locked_text(sheet.period_start, sheet.period_end) using errcode = 'PT409';
  end if;
  return sheet;
end
$$;

-- "The period October 1 to 31, 2026 is locked."
create function private.locked_text(p_first date, p_last date) returns text
language sql immutable set search_path = ''
return format('The period %s to %s is locked.', to_char(p_first, 'FMMonth FMDD')
    || case when extract(year from p_first) <> extract(year from p_last) then to_char(p_first, ', YYYY') else '' end,
  case when date_trunc('month', p_first::timestamp) = date_trunc('month', p_last::timestamp)
    then to_char(p_last, 'FMDD, YYYY') else to_char(p_last, 'FMMonth FMDD, YYYY') end);

-- Opens a submitted or approved timesheet again, with the reason.
create function public.reopen_timesheet(id uuid, reason text) returns public.timesheets
language plpgsql security definer set search_path = '' as $$
declare
  sheet public.timesheets := private.timesheet_to_change(reopen_timesheet.id);
  why text := left(nullif(btrim(reopen_timesheet.reason), ''), 501);
begin
  if why is null or char_length(why) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  if sheet.user_id = auth.uid() and (sheet.status = 'approved' or not private.may_approve_time(sheet.site_ids)) then
    raise exception 'Nobody opens their own timesheet again.' using errcode = 'insufficient_privilege';
  end if;
  if sheet.status <> 'open' then
    update public.timesheets t set status = 'open', note = why, approved_at = null, approved_by = null,
      submitted_at = null, submitted_by = null
    where t.id = sheet.id returning * into sheet;
  end if;
  return sheet;
end
$$;

-- The caller's own timesheet is complete as far as they know.
create function public.submit_timesheet(id uuid) returns public.timesheets
language plpgsql security definer set search_path = '' as $$
declare
  sheet public.timesheets := private.timesheet_to_change(submit_timesheet.id);
begin
  if sheet.user_id is distinct from auth.uid() then
    raise exception 'You submit your own timesheet only.' using errcode = 'insufficient_privilege';
  end if;
  if private.has_shifts_to_come(sheet.user_id, sheet.period_start, sheet.period_end) then
    raise exception 'Shifts of this period are still to come.' using errcode = 'PT409';
  end if;
  if sheet.status = 'open' then
    update public.timesheets t set status = 'submitted', submitted_at = now(), submitted_by = auth.uid(), note = null
    where t.id = sheet.id returning * into sheet;
  end if;
  return sheet;
end
$$;

-- Decides about minutes outside the plan of one record, or about a shift with too little rest; null takes the decision
-- back. @returns the decision, all null after it was taken back
create function public.decide_time(
  p_attendance_id uuid, p_kind text, p_approved boolean default null, p_note text default null
) returns public.time_decisions
language plpgsql security definer set search_path = '' as $$
declare
  record public.attendance;
  decision public.time_decisions;
begin
  if p_kind is null or p_kind not in ('early_arrival', 'stayed_on', 'overtime', 'rest_override') then
    raise exception 'Decide about an early arrival, staying on, overtime or a short rest.'
      using errcode = 'invalid_parameter_value';
  end if;
  if char_length(p_note) > 1000 then
    raise exception 'Give a note of at most 1000 characters.' using errcode = 'check_violation';
  end if;
  select * into record from public.attendance r where r.id = p_attendance_id;
  if not found or not private.may_approve_time(array[record.site_id]) then
    raise exception 'There is no such record of attendance, or it is not yours to decide.' using errcode = 'PT404';
  end if;
  if record.user_id = auth.uid() then
    raise exception 'Nobody decides about their own hours.' using errcode = 'insufficient_privilege';
  end if;
  if p_approved is null then
    delete from public.time_decisions d where d.attendance_id = record.id and d.kind = p_kind;
    return null;
  end if;
  insert into public.time_decisions as d (attendance_id, user_id, site_id, kind, approved, note, decided_by)
  values (record.id, record.user_id, record.site_id, p_kind, p_approved, p_note, auth.uid())
  on conflict (attendance_id, kind) do update set approved = excluded.approved, note = excluded.note,
    decided_by = excluded.decided_by, decided_at = now()
  returning * into decision;
  return decision;
end
$$;

-- Answers what a guard disputes; the guard gets a notice. Answering again changes the answer.
create function public.answer_dispute(p_id uuid, p_answer text) returns public.timesheet_disputes
language plpgsql security definer set search_path = '' as $$
declare
  dispute public.timesheet_disputes;
  said text := nullif(btrim(p_answer), '');
begin
  select * into dispute from public.timesheet_disputes d where d.id = p_id;
  if not found or not private.may_approve_time(
    (select t.site_ids from public.timesheets t where t.id = dispute.timesheet_id))
  then
    raise exception 'There is no such dispute, or it is not yours to answer.' using errcode = 'PT404';
  end if;
  if dispute.user_id = auth.uid() then
    raise exception 'Nobody answers their own dispute.' using errcode = 'insufficient_privilege';
  end if;
  if said is null or char_length(said) > 1000 then
    raise exception 'Give an answer of at most 1000 characters.' using errcode = 'check_violation';
  end if;
  update public.timesheet_disputes d
  set status = 'answered', answer = said, answered_by = auth.uid(), answered_at = now()
  where d.id = dispute.id returning * into dispute;
  perform private.notify(dispute.user_id, 'timesheet', format('Your hours of %s', to_char(dispute.day, 'FMMonth FMDD')),
    said, '/staff/timesheet', 'dispute:' || dispute.id || ':' || md5(said));
  return dispute;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.approve_timesheets, public.reopen_timesheet, public.submit_timesheet, public.decide_time,
  public.answer_dispute from public, anon;
grant execute on function public.approve_timesheets, public.reopen_timesheet, public.submit_timesheet,
  public.decide_time, public.answer_dispute to authenticated, service_role;
