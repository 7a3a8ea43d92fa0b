create or replace FUNCTION private.prepare_letter()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
    'happened_at', i.happened_at,
    'reported_by', case when new.names_included then coalesce(nullif(p.full_name, ''), i.caller) end
  ))
  into new.facts
  from public.incidents i
  join public.sites s on s.id = i.site_id
  left join public.profiles p on p.id = i.raised_by_user_id where i.id = new.incident_id;
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
$function$;

alter table public.incidents add column happened_at timestamp with time zone;

alter table public.incidents add constraint incidents_happened_at_check CHECK (isfinite(happened_at));

alter table public.incidents add constraint incidents_happened_before_the_report CHECK ((happened_at <= (created_at + '00:05:00'::interval)));

grant INSERT (happened_at) on public.incidents to authenticated;

comment on column public.incidents.happened_at is 'When it happened, if that was not when it was reported, for example by telephone in the morning';
