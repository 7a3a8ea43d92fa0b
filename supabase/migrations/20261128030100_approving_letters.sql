-- A letter goes to the client when a version of it is approved: its report is reviewed and, for high and critical
-- incidents, somebody other than its writer has approved it.
alter table public.incident_letters
  add column approved_at timestamptz,
  add column approved_by uuid references public.profiles (id) on delete set null,
  add constraint incident_letters_approved_at_a_time check (approved_by is null or approved_at is not null);
comment on column public.incident_letters.approved_at is
  'Derived: since when this version may go to the client; never taken back';
comment on column public.incident_letters.approved_by is 'Derived: who approved it, the writer if one person is enough';
create index incident_letters_approved_by_idx on public.incident_letters (approved_by);

-- Letters from before have been sent.
update public.incident_letters set approved_at = created_at, approved_by = sent_by;

-- Whether one person may both write and approve a letter about the incident, by its severity now
-- and when it was written. Never null.
create function private.needs_second_approver(p_letter public.incident_letters) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select private.is_grave(i.severity) or private.is_grave(coalesce(p_letter.facts ->> 'severity', i.severity))
    from public.incidents i where i.id = p_letter.incident_id
  ), true);
$$;

-- After b_prepare, which writes the facts. A letter that needs no second person is approved by its writer's saving.
create function private.approve_new_letter() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if auth.role() is null then
    return new;
  end if;
  new.approved_at := null;
  new.approved_by := null;
  if not private.needs_second_approver(new)
    and (select public.review_state(i) from public.incidents i where i.id = new.incident_id) = 'reviewed'
  then
    new.approved_at := now();
    new.approved_by := auth.uid();
  end if;
  return new;
end
$$;
create trigger c_approve before insert on public.incident_letters
  for each row execute function private.approve_new_letter();

drop trigger queue_letter_mail on public.incident_letters;
-- Not for rows that the owner loads (demo data, a restored backup).
create trigger queue_letter_mail after insert on public.incident_letters
  for each row when (new.email is not null and new.approved_at is not null)
  execute function private.queue_letter_mail();
create trigger queue_approved_letter after update on public.incident_letters
  for each row when (new.email is not null and old.approved_at is null and new.approved_at is not null)
  execute function private.queue_letter_mail();

-- A version that waits for approval: everybody who may approve it gets a notice.
create function private.notify_of_letter() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(o.id, 'incident', 'Letter waits for approval: ' || i.title,
    format('Version %s, to %s', new.version, new.addressee), '/admin/incidents?open=' || i.id,
    format('incident_letter:%s:%s', new.id, o.id))
  from public.incidents i cross join private.overseers_of(i.site_id) o (id)
  where i.id = new.incident_id and o.id <> auth.uid()
  order by o.id;
  return null;
end
$$;
create trigger notify_of_letter after insert on public.incident_letters
  for each row when (new.approved_at is null and auth.role() is not null)
  execute function private.notify_of_letter();

-- Approves the newest version, which then may go to the client, and is mailed if it has an address. It can't be taken
-- back. Definer, because nobody changes letters.
create function public.approve_letter(p_letter_id uuid) returns public.incident_letters
language plpgsql security definer set search_path = '' as $$
declare
  letter public.incident_letters;
  incident public.incidents;
begin
  select * into letter from public.incident_letters l where l.id = p_letter_id;
  if not found then
    raise exception 'This letter does not exist, or it isn''t about one of your sites.' using errcode = 'PT404';
  end if;
  incident := private.overseen_incident(letter.incident_id);
  -- So that nobody writes a newer version before this one is approved.
  perform pg_advisory_xact_lock(hashtextextended('letters about ' || incident.id, 0));
  select * into letter from public.incident_letters l where l.id = p_letter_id for update;
  if letter.approved_at is not null then
    return letter;
  end if;
  if exists (
    select from public.incident_letters l where l.incident_id = incident.id and l.version > letter.version
  ) then
    raise exception 'There is a newer version of this letter. Approve that one.' using errcode = 'PT409';
  end if;
  if public.review_state(incident) <> 'reviewed' then
    raise exception 'Review the report first.' using errcode = 'PT409';
  end if;
  if letter.sent_by = auth.uid() and private.needs_second_approver(letter) then
    raise exception 'Someone else must approve a letter of yours about a high or critical incident.'
      using errcode = 'PT409';
  end if;
  update public.incident_letters l set approved_at = now(), approved_by = auth.uid()
  where l.id = letter.id
  returning * into letter;
  return letter;
end
$$;

-- Computed column: the newest letter waits for approval.
create function public.has_letter_to_approve(incident public.incidents) returns boolean
language sql stable parallel safe as $$
  select coalesce((
    select l.approved_at is null from public.incident_letters l
    where l.incident_id = incident.id order by l.version desc limit 1
  ), false);
$$;

revoke all on all functions in schema private from public;
revoke all on function public.approve_letter, public.has_letter_to_approve from public, anon;
grant execute on function public.approve_letter, public.has_letter_to_approve to authenticated;
