-- Signs of life of guards' phones. The staff portal sends one every few minutes while it is open on duty with welfare
-- checks, and says so when it is put away: a phone in a pocket runs no page, so that its silence means nothing. What
-- should be heard and is not gets an alert; the welfare checks cover the phones that are put away.
create table private.phone_signals (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  -- The silence of a session that has ended means nothing either.
  session_id uuid,
  heard_at timestamptz not null default now(),
  is_away boolean not null,
  -- Entries on the phone that are not sent yet.
  waiting integer not null
);
alter table private.phone_signals enable row level security;
revoke all on private.phone_signals from public, anon, authenticated;

-- The caller's phone is there. @param p_is_away its screen goes off, or the page is closed
create function public.report_signal(p_waiting integer default 0, p_is_away boolean default false) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_member();
  insert into private.phone_signals as h (user_id, session_id, is_away, waiting)
  values (auth.uid(), (auth.jwt() ->> 'session_id')::uuid, coalesce(p_is_away, false),
    least(10000, greatest(0, coalesce(p_waiting, 0))))
  on conflict (user_id) do update set session_id = excluded.session_id, heard_at = now(),
    is_away = excluded.is_away, waiting = excluded.waiting;
end
$$;

revoke all on function public.report_signal from public, anon;
grant execute on function public.report_signal to authenticated;
