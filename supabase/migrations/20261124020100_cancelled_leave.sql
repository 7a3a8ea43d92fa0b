-- Plans change: whoever decides leave can also take back what was approved, and says why.

-- Approves, rejects or cancels. Only what is approved is cancelled, and only with a note, which the person reads.
create or replace function public.decide_leave(p_id uuid, p_status text, p_note text default null)
returns public.leave_requests
language plpgsql set search_path = '' as $$
declare
  decided public.leave_requests;
  must_be text := case when p_status = 'cancelled' then 'approved' else 'pending' end;
begin
  if p_status is null or p_status not in ('approved', 'rejected', 'cancelled') then
    raise exception 'Leave is approved, rejected or cancelled.' using errcode = 'check_violation';
  end if;
  if p_status = 'cancelled' and coalesce(btrim(p_note), '') = '' then
    raise exception 'Say why the leave is cancelled.' using errcode = 'check_violation';
  end if;
  update public.leave_requests l set status = p_status, decision_note = p_note
  where l.id = p_id and l.status = must_be
  returning * into decided;
  if found then
    return decided;
  end if;
  select * into decided from public.leave_requests l where l.id = p_id;
  if not found then
    raise exception 'There is no such leave request.' using errcode = 'PT404';
  end if;
  if decided.status = must_be then
    raise exception 'You don''t decide leave requests.' using errcode = 'insufficient_privilege';
  end if;
  if decided.status = 'pending' then
    raise exception 'This request is still pending, so it is approved or rejected.' using errcode = 'PT409';
  end if;
  raise exception 'This request was already %.', decided.status using errcode = 'PT409';
end
$$;
