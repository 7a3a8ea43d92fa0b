-- How soon the company wants to respond to a report and to resolve it, by severity, in dated versions. The clock runs at
-- all hours and on all days, as the posts do.
create table public.incident_goals (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 100),
  -- The day of the report decides, in the company's zone. The first version also holds for the days before it.
  effective_from date not null unique check (effective_from between '1900-01-01' and '2199-12-31'),
  critical_response_minutes integer not null default 15 check (critical_response_minutes between 5 and 44640),
  critical_resolution_minutes integer not null default 1440 check (critical_resolution_minutes between 5 and 525600),
  high_response_minutes integer not null default 60 check (high_response_minutes between 5 and 44640),
  high_resolution_minutes integer not null default 2880 check (high_resolution_minutes between 5 and 525600),
  medium_response_minutes integer not null default 240 check (medium_response_minutes between 5 and 44640),
  medium_resolution_minutes integer not null default 7200 check (medium_resolution_minutes between 5 and 525600),
  low_response_minutes integer not null default 1440 check (low_response_minutes between 5 and 44640),
  low_resolution_minutes integer not null default 14400 check (low_resolution_minutes between 5 and 525600),
  created_by uuid default auth.uid() references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incident_goals_respond_first check (
    critical_response_minutes <= critical_resolution_minutes and high_response_minutes <= high_resolution_minutes
    and medium_response_minutes <= medium_resolution_minutes and low_response_minutes <= low_resolution_minutes
  )
);
create index incident_goals_created_by_idx on public.incident_goals (created_by);

select private.tidy_texts_of('public.incident_goals', 'name');
create trigger b_author before insert or update on public.incident_goals
  for each row execute function private.stamp_author();
create trigger d_touch before update on public.incident_goals
  for each row execute function private.touch();
select private.keep_history_of('public.incident_goals');

alter table public.incident_goals enable row level security;
revoke all on public.incident_goals from anon, authenticated;
grant select, insert, update, delete on public.incident_goals to authenticated;

create policy "Overseers and supervisors read the goals for incidents" on public.incident_goals
  for select to authenticated
  using (
    (select private.has_role('admin', 'ops_manager', 'supervisor'))
    or cardinality((select private.supervised_sites())) > 0
  );
create policy "Managers add goals for incidents" on public.incident_goals
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Managers change goals for incidents" on public.incident_goals
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Managers delete goals for incidents" on public.incident_goals
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

alter publication supabase_realtime add table public.incident_goals;

insert into public.incident_goals (name, effective_from) values ('Company goals', '2020-01-01');

create function private.keep_one_incident_goal() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('incident goals', 0));
  if not exists (select from public.incident_goals g where g.id <> old.id) then
    raise exception 'The last goals can''t be deleted.' using errcode = 'PT409';
  end if;
  return old;
end
$$;
create trigger c_keep_one before delete on public.incident_goals
  for each row execute function private.keep_one_incident_goal();

-- The goals by severity, and for which reports they hold: [first, until).
create function private.goal_spans() returns table (
  severity text, first timestamptz, until timestamptz, response interval, resolution interval
)
language sql stable security definer rows 4 set search_path = '' as $$
  select f.severity, g.first, g.until, make_interval(mins => f.response), make_interval(mins => f.resolution)
  from (
    select v as goals,
      case when row_number() over w = 1 then '-infinity' else private.company_midnight(v.effective_from) end as first,
      coalesce(private.company_midnight(lead(v.effective_from) over w), 'infinity') as until
    from public.incident_goals v
    window w as (order by v.effective_from)
  ) g
  cross join lateral (values
    ('critical', (g.goals).critical_response_minutes, (g.goals).critical_resolution_minutes),
    ('high', (g.goals).high_response_minutes, (g.goals).high_resolution_minutes),
    ('medium', (g.goals).medium_response_minutes, (g.goals).medium_resolution_minutes),
    ('low', (g.goals).low_response_minutes, (g.goals).low_resolution_minutes)
  ) f (severity, response, resolution);
$$;

-- The first entry of the office: a review, or an update of status, owner, due time or notes. Null if there is none.
create function private.responded_at(p_incident_id uuid) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select least(
    (select min(u.created_at) from public.incident_updates u where u.incident_id = p_incident_id),
    (select min(r.created_at) from public.incident_reviews r where r.incident_id = p_incident_id)
  );
$$;

-- When it was resolved or closed and not opened again since. Null while it is active.
create function private.resolved_at(p_incident public.incidents) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select max(u.created_at) from public.incident_updates u
  where p_incident.status in ('resolved', 'closed') and u.incident_id = p_incident.id
    and u.to_status in ('resolved', 'closed') and u.from_status in ('open', 'investigating');
$$;

-- What is still to do for an active incident, and until when. A due time that the office has set replaces the goal for the
-- resolution.
create function private.pending_goals(p_incident public.incidents)
returns table (goal text, deadline timestamptz, response interval)
language sql stable security definer rows 2 set search_path = '' as $$
  select g.goal, g.deadline, s.response
  from private.goal_spans() s
  cross join lateral (values
    ('response', p_incident.created_at + s.response),
    ('resolution', coalesce(p_incident.due_at, p_incident.created_at + s.resolution))
  ) g (goal, deadline)
  where s.severity = p_incident.severity and p_incident.created_at >= s.first and p_incident.created_at < s.until
    and p_incident.status in ('open', 'investigating')
    and (g.goal = 'resolution' or private.responded_at(p_incident.id) is null);
$$;

-- Computed columns. Null and false for incidents that are resolved or closed, which most are.
create function public.next_deadline(incident public.incidents) returns timestamptz
language plpgsql stable security definer set search_path = '' as $$
begin
  if incident.status not in ('open', 'investigating') then
    return null;
  end if;
  return (select min(p.deadline) from private.pending_goals(incident) p);
end
$$;
create function public.is_late(incident public.incidents) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(public.next_deadline(incident) < now(), false);
end
$$;

-- What waits for the caller at the sites that they oversee: reports to review, questions without an answer, letters to
-- approve, and incidents past a deadline. Definer, because the policies of each table would judge every row again.
create function public.incident_queue()
returns table (to_review integer, returned integer, to_approve integer, late integer)
language sql stable security definer set search_path = '' as $$
  with spans as materialized (
    select * from private.goal_spans()
  ), own as (
    select public.review_state(i) as state, public.has_letter_to_approve(i) as has_letter,
      i.status in ('open', 'investigating') and (
        coalesce(i.due_at, i.created_at + s.resolution) < now()
        or i.created_at + s.response < now() and private.responded_at(i.id) is null
      ) as is_late
    from public.incidents i
    join spans s on s.severity = i.severity and i.created_at >= s.first and i.created_at < s.until
    where i.status <> 'closed' and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  )
  select count(*) filter (where o.state in ('waiting', 'answered'))::integer,
    count(*) filter (where o.state = 'returned')::integer,
    count(*) filter (where o.has_letter)::integer,
    count(*) filter (where o.is_late)::integer
  from own o;
$$;

revoke all on all functions in schema private from public;
revoke all on function public.next_deadline, public.is_late, public.incident_queue from public, anon;
grant execute on function public.next_deadline, public.is_late, public.incident_queue to authenticated;
