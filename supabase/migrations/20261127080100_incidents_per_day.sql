-- One user reports at most 500 incidents within 24 hours, so that no account can fill the database with them.
-- Reports through the API are counted; the owner and the service role have no limit.
create function private.limit_incidents() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  most constant integer := 500;
  reporter uuid := auth.uid();
  reported integer;
  wait integer;
begin
  if reporter is null then
    return null;
  end if;
  -- One statement at a time for each reporter, or two at once would both be within the limit.
  perform pg_advisory_xact_lock(hashtextextended('incidents of ' || reporter, 0));
  select count(*), ceil(extract(epoch from min(i.created_at) + interval '1 day' - now()))
  into reported, wait
  from public.incidents i
  where i.raised_by_user_id = reporter and i.created_at > now() - interval '1 day';
  if reported > most then
    raise sqlstate 'PGRST' using
      message = json_build_object(
        'code', 'too_many_incidents',
        'message', format(
          'You can report at most %s incidents within 24 hours. Please call your supervisor, or try again later.', most
        ),
        'details', null,
        'hint', null
      )::text,
      detail = json_build_object(
        'status', 429,
        'headers', json_build_object('Retry-After', greatest(wait, 1)::text)
      )::text;
  end if;
  return null;
end
$$;
revoke all on function private.limit_incidents() from public;
-- Once for each statement: a request may bring hundreds of rows.
create trigger e_limit_incidents after insert on public.incidents
  for each statement execute function private.limit_incidents();
