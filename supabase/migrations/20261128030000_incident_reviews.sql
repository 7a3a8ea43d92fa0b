-- Reviews of reports: those who oversee the site accept a report, or send it back to its reporter with a question. A note
-- that the reporter adds afterwards is the answer, and the report waits again. Beside the status, which is set freely.
create table public.incident_reviews (
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references public.incidents (id) on delete cascade,
  decision text not null check (decision in ('accepted', 'returned')),
  note text check (char_length(note) between 1 and 2000),
  reviewed_by uuid references public.profiles (id) on delete set null,
  -- Compared with the times of report_notes.
  created_at timestamptz not null default clock_timestamp(),
  constraint incident_reviews_ask_something check (decision = 'accepted' or note is not null)
);
create index incident_reviews_incident_id_idx on public.incident_reviews (incident_id, created_at desc);
create index incident_reviews_reviewed_by_idx on public.incident_reviews (reviewed_by);

select private.tidy_texts_of('public.incident_reviews', 'note');
select private.keep_history_of('public.incident_reviews');

alter table public.incident_reviews enable row level security;
revoke all on public.incident_reviews from anon, authenticated, service_role;
-- Written by functions alone.
grant select on public.incident_reviews to authenticated, service_role;

create policy "Overseers of an incident read its reviews" on public.incident_reviews
  for select to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));
create policy "Members read the reviews of their own reports" on public.incident_reviews
  for select to authenticated
  using (exists (
    select from public.incidents i where i.id = incident_id and i.raised_by_user_id = (select auth.uid())
  ));

alter publication supabase_realtime add table public.incident_reviews;
alter table public.incident_reviews replica identity full;

-- What was over before reviews began waits for none.
insert into public.incident_reviews (incident_id, decision, note)
select i.id, 'accepted', 'Reported before reviews began.'
from public.incidents i where i.status in ('resolved', 'closed');

-- Computed column: waiting, returned, answered or reviewed. No fixed search path, so that the planner can inline it.
create function public.review_state(incident public.incidents) returns text
language sql stable parallel safe as $$
  select coalesce((
    select case
      when r.decision = 'accepted' then 'reviewed'
      when exists (
        select from public.report_notes n where n.incident_id = r.incident_id and n.created_at > r.created_at
      ) then 'answered'
      else 'returned'
    end
    from public.incident_reviews r where r.incident_id = incident.id
    order by r.created_at desc limit 1
  ), 'waiting');
$$;

-- A second pair of eyes looks at these before the client does. Never null.
create function private.is_grave(p_severity text) returns boolean
language sql immutable set search_path = ''
return coalesce(p_severity in ('high', 'critical'), true);

-- Locks an incident that the caller oversees.
create function private.overseen_incident(p_incident_id uuid) returns public.incidents
language plpgsql security definer set search_path = '' as $$
declare
  incident public.incidents;
begin
  select * into incident from public.incidents i where i.id = p_incident_id for no key update;
  if not found or not private.may_oversee(incident.site_id) then
    raise exception 'This incident does not exist, or it isn''t at one of your sites.' using errcode = 'PT404';
  end if;
  return incident;
end
$$;

-- Accepting what is accepted changes nothing. Definer, because nobody writes reviews directly.
create function public.review_incident(p_incident_id uuid, p_decision text, p_note text default null)
returns public.incident_reviews
language plpgsql security definer set search_path = '' as $$
declare
  incident public.incidents := private.overseen_incident(p_incident_id);
  remark text := nullif(btrim(p_note), '');
  review public.incident_reviews;
begin
  if p_decision is null or p_decision not in ('accepted', 'returned') then
    raise exception 'A report is accepted or returned.' using errcode = 'invalid_parameter_value';
  end if;
  if char_length(remark) > 2000 then
    raise exception 'The note must be at most 2,000 characters.' using errcode = 'invalid_parameter_value';
  end if;
  select * into review from public.incident_reviews r
  where r.incident_id = incident.id order by r.created_at desc limit 1;
  if p_decision = 'accepted' then
    if review.decision = 'accepted' then
      return review;
    end if;
    if private.is_grave(incident.severity)
      and auth.uid() in (incident.raised_by_user_id, incident.entered_by)
    then
      raise exception 'Someone else must review a high or critical report that you reported.' using errcode = 'PT409';
    end if;
  elsif remark is null then
    raise exception 'Enter a question for the guard.' using errcode = 'invalid_parameter_value';
  elsif incident.raised_by_user_id is null then
    raise exception 'No account reported this incident, so nobody would get the question.' using errcode = 'PT409';
  end if;
  insert into public.incident_reviews (incident_id, decision, note, reviewed_by)
  values (incident.id, p_decision, remark, auth.uid())
  returning * into review;
  if p_decision = 'returned' and incident.raised_by_user_id <> auth.uid() then
    perform private.notify(incident.raised_by_user_id, 'incident', 'A question about your report',
      format(e'%s\n%s', incident.title, remark), '/staff/report', 'incident_review:' || review.id);
  end if;
  return review;
end
$$;

-- Accepts many reports, all of them or none. A refusal names the rows and why. @returns how many
create function public.review_incidents(p_ids uuid[], p_note text default null) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  refused jsonb[];
  wanted record;
  state text;
  message text;
  reviewed integer := 0;
begin
  perform private.require_many(p_ids);
  for wanted in
    select u.id, i.title, coalesce(private.may_oversee(i.site_id), false) as is_own
    from (select distinct o.id from unnest(p_ids) o (id)) u
    left join public.incidents i on i.id = u.id
    order by u.id
  loop
    begin
      perform public.review_incident(wanted.id, 'accepted', p_note);
      reviewed := reviewed + 1;
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text;
      -- A deadlock, and what is wrong with the call, are no reason of this row.
      if state like '40%' or state = '22023' then
        raise;
      end if;
      refused := refused || jsonb_build_object(
        'id', wanted.id, 'name', case when wanted.is_own then wanted.title else 'One row' end, 'reason', message
      );
    end;
  end loop;
  perform private.refuse_many(refused, cardinality(p_ids), 'reviewed');
  return reviewed;
end
$$;

-- A new report goes to those who review it; rows that the owner loads don't.
create function private.notify_of_report() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_overseers(new.site_id, 'incident', format('%s report: %s', initcap(new.severity), t.name),
    new.title, '/admin/incidents?open=' || new.id, 'incident:' || new.id)
  from public.sites t where t.id = new.site_id;
  return null;
end
$$;
create trigger notify_of_report after insert on public.incidents
  for each row when (auth.role() is not null) execute function private.notify_of_report();

-- The answer goes to the reviewer who asked, as long as they oversee the site.
create function private.notify_of_answer() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(asked.reviewed_by, 'incident', 'Answer: ' || i.title, new.note,
    '/admin/incidents?open=' || i.id, 'incident_answer:' || asked.id)
  from public.incidents i
  cross join lateral (
    select r.id, r.decision, r.reviewed_by from public.incident_reviews r
    where r.incident_id = i.id order by r.created_at desc limit 1
  ) asked
  where i.id = new.incident_id and asked.decision = 'returned'
    and asked.reviewed_by in (select private.overseers_of(i.site_id));
  return null;
end
$$;
create trigger notify_of_answer after insert on public.report_notes
  for each row when (auth.role() is not null) execute function private.notify_of_answer();

revoke all on all functions in schema private from public;
revoke all on function public.review_state, public.review_incident, public.review_incidents from public, anon;
grant execute on function public.review_state, public.review_incident, public.review_incidents to authenticated;
