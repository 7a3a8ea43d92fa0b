-- Whoever cancels somebody else's leave says why, also while it is pending. One's own is cancelled without a word.

create or replace function private.check_leave_decision() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  me uuid := auth.uid();
  is_own boolean := me = old.user_id;
begin
  new.decided_by := old.decided_by;
  new.decided_at := old.decided_at;
  if me is null then
    return new;
  end if;
  if is_own then
    if new.decision_note is distinct from old.decision_note
      or new.status not in (old.status, 'cancelled')
    then
      raise exception 'Nobody decides their own leave. It can only be cancelled.'
        using errcode = 'insufficient_privilege';
    end if;
    if new.status <> old.status and not (
      old.status = 'pending' or old.status = 'approved' and old.start_date > private.company_date()
    ) then
      raise exception 'Leave that was % and has begun or is over can''t be cancelled.', old.status
        using errcode = 'PT409';
    end if;
    return new;
  end if;
  if new.status <> old.status then
    if old.status <> 'pending' and not (old.status = 'approved' and new.status = 'cancelled') then
      raise exception 'This request was already %.', old.status using errcode = 'PT409';
    end if;
    if new.status = 'pending' then
      raise exception 'A request is pending until it is decided.' using errcode = 'check_violation';
    end if;
    -- What was said when it was approved is no reason to take it back.
    if new.status = 'cancelled' and (
      new.decision_note is null or old.status = 'approved' and new.decision_note = old.decision_note
    ) then
      raise exception 'Say why the leave is cancelled.' using errcode = 'check_violation';
    end if;
    new.decided_by := me;
    new.decided_at := now();
  elsif old.status = 'cancelled' and old.decision_note is not null and new.decision_note is null then
    raise exception 'Cancelled leave keeps its reason.' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
