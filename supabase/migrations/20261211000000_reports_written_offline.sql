-- When a report was written that waited on the phone for a signal: `created_at` is when it arrived, from which goals count.
alter table public.incidents add column written_at timestamptz;
comment on column public.incidents.written_at is
  'By the device''s clock, corrected, if the report was sent later; null if it was sent at once or the clock can''t be right';

-- A report is never refused for its phone's clock.
create function private.keep_time_written() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.written_at not between now() - interval '30 days' and now() - interval '2 minutes' then
    new.written_at := null;
  end if;
  return new;
end
$$;
revoke all on function private.keep_time_written() from public;
-- Not for rows without a caller, which are being loaded.
create trigger b_keep_time_written before insert on public.incidents
  for each row when (new.written_at is not null and auth.uid() is not null)
  execute function private.keep_time_written();

grant insert (written_at) on public.incidents to authenticated;

-- As before, and when the report was written.
create or replace function private.prepare_letter() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is null then
    return new;
  end if;
  -- Two letters about one incident take turns, so that each has its own number.
  perform pg_advisory_xact_lock(hashtextextended('letters about ' || new.incident_id, 0));
  new.version := 1 + coalesce((
    select max(l.version) from public.incident_letters l where l.incident_id = new.incident_id
  ), 0);
  new.sent_by := auth.uid();
  new.mailed_at := null;
  select jsonb_strip_nulls(jsonb_build_object(
    'site', s.name, 'site_address', s.address, 'timezone', s.timezone, 'category', i.category, 'severity', i.severity,
    'status', i.status, 'reported_at', i.created_at, 'written_at', i.written_at,
    'reported_by', case when new.names_included then coalesce(nullif(p.full_name, ''), i.caller) end
  ))
  into new.facts
  from public.incidents i
  join public.sites s on s.id = i.site_id
  left join public.profiles p on p.id = i.raised_by_user_id
  where i.id = new.incident_id;
  if new.facts is null then
    raise exception 'This incident no longer exists.' using errcode = 'foreign_key_violation';
  end if;
  if new.email is not null and (
    select count(*) from public.incident_letters l
    where l.sent_by = auth.uid() and l.email is not null and l.created_at > now() - interval '1 hour'
  ) >= 20 then
    raise exception 'You have mailed 20 letters within an hour. Please try again later.' using errcode = 'PT429';
  end if;
  return new;
end
$$;
