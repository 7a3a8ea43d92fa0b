-- A guard who did not come keeps the assignment as a no-show with a reason; the seat is free for somebody else.

-- Stamps and clears the facts of a no-show. A guard who clocks in after all is no no-show, and the planners get a notice.
-- Any other change back is refused once the seat has been given to somebody else. A planner who undoes a deletion gets
-- back when and by whom; no other caller can sign for somebody else.
create function private.keep_no_show() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  seats integer;
  staffed integer;
  successors text;
begin
  if tg_op = 'UPDATE' and old.status = 'no_show' and old.attendance_state = 'none' and new.attendance_state <> 'none' then
    new.status := case new.attendance_state when 'out' then 'completed' else 'confirmed' end;
    select s.required_headcount into seats from public.shifts s where s.id = new.shift_id;
    select count(*) into staffed from public.assignments a
    where a.shift_id = new.shift_id and a.id <> new.id and a.counts_as_staffed;
    perform private.notify_planners(new.site_id, 'came_after_all',
      format('%s has come after all', private.name_of_person(new.user_id)),
      concat_ws('. ', private.shift_text(new.shift_id), 'The no-show is cleared',
        case when staffed >= seats and not new.on_leave then 'The shift now has a guard too many' end),
      '/admin/shifts?open=' || new.shift_id, 'came:' || new.id);
  elsif tg_op = 'UPDATE' and old.status = 'no_show' and new.shift_id = old.shift_id and not new.on_leave
    and new.status in ('assigned', 'confirmed', 'completed')
  then
    select s.required_headcount into seats from public.shifts s where s.id = new.shift_id;
    select count(*), string_agg(private.name_of_person(a.user_id), ', ' order by a.created_at, a.id)
      filter (where a.created_at >= old.no_show_at)
    into staffed, successors
    from public.assignments a
    where a.shift_id = new.shift_id and a.id <> new.id and a.counts_as_staffed;
    if staffed >= seats and successors is not null then
      raise exception '% got this post since. Take them off the shift first, or raise the number of guards.', successors
        using errcode = 'PT409';
    end if;
  end if;
  if new.status <> 'no_show' then
    new.no_show_reason := null;
    new.no_show_at := null;
    new.no_show_by := null;
  elsif tg_op = 'INSERT' or old.status <> 'no_show' then
    if tg_op = 'UPDATE' or auth.uid() is not null and not exists (
      select from (
        select h.actor_id, h.old_values from public.audit_log h
        where h.table_name = 'assignments' and h.row_id = new.id and h.action = 'delete'
        order by h.at desc, h.id desc limit 1
      ) l
      cross join jsonb_populate_record(null::public.assignments, l.old_values) deleted
      where l.actor_id = auth.uid()
        and (deleted.user_id, deleted.shift_id, deleted.no_show_reason, deleted.no_show_at, deleted.no_show_by)
          is not distinct from (new.user_id, new.shift_id, new.no_show_reason, new.no_show_at, new.no_show_by)
    ) then
      new.no_show_at := now();
      new.no_show_by := auth.uid();
    end if;
    new.no_show_at := coalesce(new.no_show_at, now());
  end if;
  return new;
end
$$;
create trigger b_no_show before insert on public.assignments
  for each row when (
    new.status = 'no_show' or num_nonnulls(new.no_show_reason, new.no_show_at, new.no_show_by) > 0
  )
  execute function private.keep_no_show();
create trigger b_no_show_of_changes before update on public.assignments
  for each row when ('no_show' in (old.status, new.status)) execute function private.keep_no_show();

-- The assignment, locked with its shift and guard, for a caller who plans the site.
create function private.planned_assignment(p_assignment_id uuid) returns public.assignments
language plpgsql security definer set search_path = '' as $$
declare
  planned public.assignments;
begin
  perform private.require_member();
  select * into planned from public.assignments a where a.id = p_assignment_id;
  if not found then
    raise exception 'This guard is no longer on the shift.' using errcode = 'PT404';
  end if;
  if not private.may_plan(planned.site_id) then
    raise exception 'You don''t plan the shifts of this site.' using errcode = 'insufficient_privilege';
  end if;
  perform private.lock_shifts_and_people(array[planned.shift_id], array[planned.user_id]);
  select * into planned from public.assignments a where a.id = p_assignment_id;
  if not found then
    raise exception 'This guard is no longer on the shift.' using errcode = 'PT404';
  end if;
  return planned;
end
$$;

-- Notes that a guard did not come, which frees the seat. Repeating it changes the reason.
create function public.mark_no_show(p_assignment_id uuid, p_reason text) returns public.assignments
language plpgsql security definer set search_path = '' as $$
declare
  absent public.assignments := private.planned_assignment(p_assignment_id);
  reason text := nullif(btrim(p_reason), '');
begin
  if reason is null or char_length(reason) > 500 then
    raise exception 'Give a reason of at most 500 characters.' using errcode = 'check_violation';
  end if;
  if absent.attendance_state <> 'none' then
    raise exception 'The guard has already clocked in on this shift.' using errcode = 'PT409';
  end if;
  if absent.status not in ('assigned', 'confirmed', 'no_show') then
    raise exception 'This guard is no longer on the shift.' using errcode = 'PT409';
  end if;
  if absent.starts_at > now() + private.clock_in_lead() then
    raise exception 'The shift has not begun. Unassign the guard instead.' using errcode = 'PT409';
  end if;
  update public.assignments a set status = 'no_show', no_show_reason = reason
  where a.id = absent.id returning * into absent;
  return absent;
end
$$;

-- Undoes a no-show: the guard is expected again. Refused once the seat has been given to somebody else.
create function public.undo_no_show(p_assignment_id uuid) returns public.assignments
language plpgsql security definer set search_path = '' as $$
declare
  absent public.assignments := private.planned_assignment(p_assignment_id);
begin
  if absent.status = 'no_show' then
    update public.assignments a
    set status = case when a.confirmed_at is null then 'assigned' else 'confirmed' end
    where a.id = absent.id returning * into absent;
  end if;
  return absent;
end
$$;

revoke all on all functions in schema private from public;
revoke all on function public.mark_no_show, public.undo_no_show from public, anon;
grant execute on function public.mark_no_show, public.undo_no_show to authenticated;
