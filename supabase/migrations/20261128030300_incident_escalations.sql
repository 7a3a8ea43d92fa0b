-- Reminders before the time of an incident is over, and escalation after it, as notices: one row for each step, so that a
-- step is taken once per deadline. The servers' list of jobs runs private.escalate_incidents.
create table public.incident_escalations (
  id uuid primary key default gen_random_uuid(),
  incident_id uuid not null references public.incidents (id) on delete cascade,
  goal text not null check (goal in ('response', 'resolution')),
  -- 0: reminder; 1: supervisors; 2: operations managers; 3: admins.
  level smallint not null check (level between 0 and 3),
  deadline timestamptz not null,
  -- Of a reminder: a new owner gets their own.
  owner_id uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default now(),
  constraint incident_escalations_once unique nulls not distinct (incident_id, goal, level, deadline, owner_id)
);
create index incident_escalations_owner_id_idx on public.incident_escalations (owner_id);

select private.keep_history_of('public.incident_escalations');
alter table public.incident_escalations enable row level security;
revoke all on public.incident_escalations from anon, authenticated;
-- Written by the job alone.
grant select on public.incident_escalations to authenticated;

create policy "Overseers of an incident read its escalations" on public.incident_escalations
  for select to authenticated
  using (exists (
    select from public.incidents i
    where i.id = incident_id and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ));

alter publication supabase_realtime add table public.incident_escalations;
alter table public.incident_escalations replica identity full;

-- The steps to take at p_at. A reminder comes when a quarter of the time is left, at most a day before. The supervisors get
-- a notice at the deadline, the operations managers when the response goal has passed once more, then the admins. What was
-- due more than a day ago, while no server ran, is left out: the list shows it as late.
create function private.due_escalations(p_at timestamptz)
returns table (incident_id uuid, goal text, level smallint, deadline timestamptz, owner_id uuid)
language sql stable security definer set search_path = '' as $$
  select i.id, g.goal, s.level::smallint, g.deadline, case s.level when 0 then i.owner_id end
  from public.incidents i
  cross join lateral private.pending_goals(i) g
  cross join lateral (values
    (0, g.deadline - greatest(least((g.deadline - i.created_at) / 4, interval '1 day'), interval '0')),
    (1, g.deadline),
    (2, g.deadline + g.response),
    (3, g.deadline + 2 * g.response)
  ) s (level, at)
  where i.status in ('open', 'investigating') and s.at <= p_at and s.at > p_at - interval '1 day'
    and (s.level > 0 or p_at < g.deadline)
    and not exists (
      select from public.incident_escalations e
      where e.incident_id = i.id and e.goal = g.goal and e.level = s.level and e.deadline = g.deadline
        and e.owner_id is not distinct from case s.level when 0 then i.owner_id end
    );
$$;

-- Who gets the notice of a step: the owner is reminded, and hears of the deadline with the supervisors.
create function private.escalation_recipients(p_step public.incident_escalations) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select i.owner_id from public.incidents i
  where i.id = p_step.incident_id and p_step.level in (0, 1) and i.owner_id is not null
  union
  select d.id from public.incidents i cross join private.deciders_of(i.site_id) d (id)
  where i.id = p_step.incident_id and (p_step.level = 1 or p_step.level = 0 and i.owner_id is null)
  union
  select r.user_id from public.user_roles r
  where p_step.level = 2 and r.role = 'ops_manager' or p_step.level = 3 and r.role = 'admin'
  order by 1;
$$;

-- Takes the steps that are due. @returns how many
create function private.escalate_incidents() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  steps uuid[];
begin
  with made as (
    insert into public.incident_escalations (incident_id, goal, level, deadline, owner_id)
    select d.incident_id, d.goal, d.level, d.deadline, d.owner_id from private.due_escalations(now()) d
    order by d.incident_id, d.goal, d.level
    on conflict do nothing
    returning id
  )
  select array_agg(m.id) into steps from made m;
  if steps is null then
    return 0;
  end if;
  perform private.notify(recipient.id, 'incident',
    format('%s: %s', case
      when e.level = 0 then case e.goal when 'response' then 'Respond soon' else 'Resolve soon' end
      else case e.goal when 'response' then 'No response in time' else 'Not resolved in time' end
    end, i.title),
    format('%s, %s, due %s', t.name, i.severity, private.time_text(e.deadline, t.timezone)),
    '/admin/incidents?open=' || i.id, format('incident_step:%s:%s', e.id, recipient.id))
  from public.incident_escalations e
  join public.incidents i on i.id = e.incident_id
  join public.sites t on t.id = i.site_id
  cross join lateral private.escalation_recipients(e) recipient (id)
  where e.id = any (steps);
  return cardinality(steps);
end
$$;

revoke all on all functions in schema private from public;
