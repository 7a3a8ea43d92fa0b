-- The devices that a person is signed in on: a list, and the end of one of them.

-- The caller's sessions, newest first. An account that has not shown its second factor sees none.
create function public.my_sessions()
returns table (
  id uuid, created_at timestamptz, refreshed_at timestamptz, user_agent text, ip text, aal text, "current" boolean
)
language sql stable security definer set search_path = '' as $$
  select s.id, s.created_at, s.refreshed_at at time zone 'UTC', s.user_agent, host(s.ip), s.aal::text,
    s.id::text is not distinct from auth.jwt() ->> 'session_id'
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (select private.is_proved())
    and (s.not_after is null or s.not_after > now())
  order by coalesce(s.refreshed_at at time zone 'UTC', s.created_at) desc, s.id;
$$;

-- Ends one session of the caller; one that is over already, or somebody else's, is left alone without a word.
create function public.end_session(session_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_proved() then
    raise exception 'Sign in with your second factor first.' using errcode = 'insufficient_privilege';
  end if;
  delete from auth.sessions s where s.id = end_session.session_id and s.user_id = auth.uid();
  if found then
    perform private.record_security_event('logout', auth.uid(), jsonb_build_object('session_id', end_session.session_id));
  end if;
end
$$;

-- Adds to the trail of security events what the functions of this schema do, in the auth service's own format.
create function private.record_security_event(action text, subject uuid, traits jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
  select '00000000-0000-0000-0000-000000000000', gen_random_uuid(),
    json_build_object(
      'action', action, 'actor_id', auth.uid(), 'actor_username', coalesce(auth.jwt() ->> 'email', ''),
      'actor_via_sso', false, 'log_type', case when subject = auth.uid() then 'account' else 'team' end,
      'traits', traits || case when subject = auth.uid() then '{}' else jsonb_build_object('user_id', subject) end
    ),
    now(),
    -- The address that the session was last seen at: the data service is not told by whom it is called.
    coalesce((select host(s.ip) from auth.sessions s where s.id::text = auth.jwt() ->> 'session_id'), '');
$$;

revoke all on function private.record_security_event(text, uuid, jsonb) from public;
revoke all on function public.my_sessions(), public.end_session(uuid) from public, anon;
grant execute on function public.my_sessions(), public.end_session(uuid) to authenticated;
