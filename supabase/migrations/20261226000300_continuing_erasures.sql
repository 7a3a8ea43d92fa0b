-- One erasure that fails is reported and stops no other: each step keeps its own error, the others go on, and the erasure
-- is tried again after an hour.
create or replace function private.continue_erasures() returns void
language plpgsql security definer set search_path = '' as $$
declare
  until constant timestamptz := clock_timestamp() + interval '500 milliseconds';
  e private.erasures;
  part private.personal_data;
  was_failing boolean;
begin
  select * into e from private.erasures x
  where x.finished_at is null and x.next_at <= now() order by x.next_at, x.number limit 1 for update skip locked;
  if not found then
    return;
  end if;
  was_failing := e.attempts > 0;
  if e.at_table = '' then
    e.failures := '{}';
  end if;
  while clock_timestamp() < until loop
    select p.* into part from private.personal_data p
    where p.texts <> '{}' and p.target || ' ' || p.belongs > e.at_table order by p.target || ' ' || p.belongs limit 1;
    exit when not found;
    begin
      perform private.erase_texts(e, part, false);
    exception when others then
      e.failures := e.failures || jsonb_build_object(part.target, sqlerrm);
    end;
    e.at_table := part.target || ' ' || part.belongs;
  end loop;
  if part.target is null then
    begin
      perform private.erase_deleted_texts(e);
    exception when others then
      e.failures := e.failures || jsonb_build_object('public.audit_log', sqlerrm);
    end;
    e.at_table := '';
    if e.failures = '{}' then
      e.finished_at := clock_timestamp();
    else
      e.attempts := e.attempts + 1;
      e.next_at := now() + interval '1 hour';
    end if;
  end if;
  update private.erasures x set
    at_table = e.at_table, failures = e.failures, attempts = e.attempts, next_at = e.next_at, finished_at = e.finished_at,
    name_pattern = case when e.finished_at is null then e.name_pattern end,
    email_pattern = case when e.finished_at is null then e.email_pattern end,
    number_pattern = case when e.finished_at is null then e.number_pattern end
  where x.id = e.id;
  if e.attempts > 0 and not was_failing then
    insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
    select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), json_build_object(
      'action', 'erasure_failed', 'actor_id', e.made_by, 'actor_username', coalesce(p.email, ''), 'actor_via_sso', false,
      'log_type', 'team', 'traits', jsonb_build_object('user_id', e.account, 'alias', e.alias)), now(), ''
    from (select 1) one left join public.profiles p on p.id = e.made_by;
  end if;
end
$$;

-- Erasures of the last year, and those that are not finished, for the screen of retention.
create function public.erasure_overview() returns table (
  id uuid, alias text, kind text, created_at timestamptz, finished_at timestamptz, attempts integer, next_at timestamptz,
  failures jsonb, refused text[]
)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
  select e.id, e.alias, e.kind, e.created_at, e.finished_at, e.attempts, e.next_at, e.failures,
    -- The sentences quote what was refused, until the work is done.
    e.refused
  from private.erasures e
  where e.finished_at is null or e.created_at > now() - interval '1 year'
  order by e.finished_at is not null, e.created_at desc limit 100;
end
$$;
revoke all on function public.erasure_overview from public, anon;
grant execute on function public.erasure_overview to authenticated;
