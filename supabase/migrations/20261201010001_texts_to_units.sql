set local check_function_bodies = off;

create function private.wants_text(p_chosen boolean, p_kind text) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(p_chosen, false) or p_kind is not distinct from 'unit_call';
$$;

create or replace function private.queue_deliveries() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- In order of person, so that two publications never deadlock.
  insert into private.notice_deliveries as d (user_id, channel, notice_ids, next_at)
  select n.user_id, way.channel, array_agg(n.id order by n.created_at, n.id),
    now() + make_interval(secs => s.digest_seconds)
  from new_rows n
  join public.profiles p on p.id = n.user_id
  left join private.notice_settings w on w.user_id = n.user_id
  cross join private.settings s
  cross join lateral (values
    ('push', coalesce(w.push, true)
      and exists (select from private.push_subscriptions u where u.user_id = n.user_id)),
    ('email', coalesce(w.email, true) and p.email is not null),
    ('sms', private.wants_text(w.sms, n.kind) and p.phone is not null and s.text_messages)
  ) way (channel, is_wanted)
  where way.is_wanted and n.read_at is null
  group by n.user_id, way.channel, s.digest_seconds
  order by n.user_id, way.channel
  on conflict (user_id, channel) where state = 'open' do update set notice_ids = d.notice_ids || excluded.notice_ids;
  return null;
end
$$;

create or replace function private.tell_unit(p_unit uuid, p_title text, p_body text, p_key text, p_told uuid default null)
returns void
language plpgsql security definer set search_path = '' as $$
declare
  people constant uuid[] := private.unit_people(p_unit, p_told);
begin
  perform private.notify(person, 'unit_call', p_title, p_body, '/staff', private.dispatch_key(p_key, person))
  from unnest(people) person;
  perform private.send_notices_now(people);
end
$$;
