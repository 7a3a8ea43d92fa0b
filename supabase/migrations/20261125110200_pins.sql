-- PINs of guards, for shared devices and text messages: 4 to 6 digits, hashed with bcrypt. Five wrong ones lock a PIN
-- until an overseer unlocks it or sets another.
create table private.guard_pins (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  pin_hash text not null,
  failures integer not null default 0,
  locked_at timestamptz,
  set_at timestamptz not null default now(),
  set_by uuid references public.profiles (id) on delete set null
);
alter table private.guard_pins enable row level security;
revoke all on private.guard_pins from anon, authenticated, service_role;

-- Whether the caller looks after this person's PIN: overseers, and supervisors of a site where the person worked in the
-- last 60 days or will work. Never null.
create function private.may_set_pin(person uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.has_role('admin', 'ops_manager', 'supervisor') or exists (
    select from public.assignments a
    where a.user_id = person and a.site_id = any (private.supervised_sites())
      and a.starts_at > now() - interval '60 days'
  );
end
$$;

create function private.require_pin_overseer(person uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.may_set_pin(person) then
    raise exception 'You can''t change this person''s PIN.' using errcode = 'insufficient_privilege';
  end if;
end
$$;

-- Refuses what is guessed first: one digit repeated, and digits in a row.
create function private.store_pin(person uuid, pin text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if pin ~ '^[0-9]{4,6}$' is not true then
    raise exception 'A PIN has 4 to 6 digits.' using errcode = 'check_violation';
  end if;
  if pin ~ '^(.)\1+$' or strpos('01234567890', pin) > 0 or strpos('09876543210', pin) > 0 then
    raise exception 'Choose a PIN that is harder to guess.' using errcode = 'check_violation';
  end if;
  insert into private.guard_pins as p (user_id, pin_hash, set_by)
  values (person, extensions.crypt(pin, extensions.gen_salt('bf', 8)), auth.uid())
  on conflict (user_id) do update
    set pin_hash = excluded.pin_hash, failures = 0, locked_at = null, set_at = now(), set_by = excluded.set_by;
  perform private.record_security_event('pin_set', person, '{}');
end
$$;

create function public.set_own_pin(p_pin text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.is_member() then
    raise exception 'Finish signing in first.' using errcode = 'insufficient_privilege';
  end if;
  perform private.store_pin(auth.uid(), p_pin);
end
$$;

create function public.set_pin(p_user_id uuid, p_pin text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_pin_overseer(p_user_id);
  perform private.store_pin(p_user_id, p_pin);
end
$$;

create function public.unlock_pin(p_user_id uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_pin_overseer(p_user_id);
  update private.guard_pins p set failures = 0, locked_at = null where p.user_id = p_user_id;
  if not found then
    raise exception 'This person has no PIN.' using errcode = 'PT404';
  end if;
  perform private.record_security_event('pin_unlocked', p_user_id, '{}');
end
$$;

-- Whether the person has a PIN, and whether it is locked. No row if the caller may not know.
create function public.pin_state(p_user_id uuid) returns table (is_set boolean, is_locked boolean, set_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_user_id = auth.uid() and private.is_member() or private.may_set_pin(p_user_id) then
    return query
      select p.user_id is not null, p.locked_at is not null, p.set_at
      from (select) one left join private.guard_pins p on p.user_id = p_user_id;
  end if;
end
$$;
comment on function public.pin_state is 'Nullable: set_at';

-- Checks a PIN and counts wrong ones: 'right', 'wrong', 'locked' or 'none'. One attempt per person at a time: otherwise
-- parallel guesses would pass the limit. The caller must commit, so it must not raise an error after a wrong one.
create function private.check_pin(person uuid, pin text) returns text
language plpgsql security definer set search_path = '' as $$
declare
  known private.guard_pins;
begin
  select * into known from private.guard_pins p where p.user_id = person for update;
  if not found then
    return 'none';
  elsif known.locked_at is not null then
    return 'locked';
  elsif extensions.crypt(left(coalesce(pin, ''), 6), known.pin_hash) = known.pin_hash and char_length(pin) <= 6 then
    update private.guard_pins p set failures = 0 where p.user_id = person and p.failures > 0;
    return 'right';
  end if;
  update private.guard_pins p set
    failures = p.failures + 1, locked_at = case when p.failures + 1 >= 5 then now() end
  where p.user_id = person;
  if known.failures + 1 >= 5 then
    perform private.record_security_event('pin_locked', person, '{}');
    return 'locked';
  end if;
  return 'wrong';
end
$$;

revoke all on function
  private.may_set_pin, private.require_pin_overseer, private.store_pin, private.check_pin
from public;
revoke all on function public.set_own_pin, public.set_pin, public.unlock_pin, public.pin_state from public, anon;
grant execute on function public.set_own_pin, public.set_pin, public.unlock_pin, public.pin_state to authenticated;
