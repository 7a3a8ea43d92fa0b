-- As before, but a clock-out may be as old as it is: who forgot it and then had a week off would stay clocked in, and could not
-- clock in again.
create or replace function private.check_own_event(
  event_at timestamptz, gps text, reason text, refusal text, what text
) returns timestamptz
language plpgsql stable set search_path = '' as $$
begin
  if event_at > now() + interval '5 minutes' then
    raise exception 'The % time is in the future. Set the clock of this device.', what
      using errcode = 'check_violation';
  end if;
  if what = 'clock-in' and event_at < now() - interval '7 days' then
    raise exception 'The % time is more than 7 days ago. Ask your supervisor to correct it.', what
      using errcode = 'check_violation';
  end if;
  if gps is null and reason is null then
    raise exception '%', refusal using errcode = 'check_violation';
  end if;
  return least(event_at, now());
end
$$;
