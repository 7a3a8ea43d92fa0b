-- Sick leave may be requested up to 7 days after it began; other leave starts today at the earliest, in the company's day.
create function private.check_leave_start() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- Without a caller it is a load of earlier requests.
  if auth.uid() is null then
    return new;
  end if;
  if new.type = 'sick' and new.start_date < private.company_date() - 7 then
    raise exception 'Sick leave may start up to 7 days back' using errcode = 'check_violation';
  end if;
  if new.type <> 'sick' and new.start_date < private.company_date() then
    raise exception 'Start date must not be in the past' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
revoke all on function private.check_leave_start() from public;
create trigger c_start before insert on public.leave_requests
  for each row execute function private.check_leave_start();
