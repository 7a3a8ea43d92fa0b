-- Work that the servers repeat. Each run is one transaction that holds the lease of its job: two servers never run a job
-- at once, and the lease of one that is killed ends with its connection. server/operations has the list of jobs.
create table private.jobs (
  name text primary key,
  next_at timestamptz not null default now(),
  last_run_at timestamptz,
  runs bigint not null default 0
);
alter table private.jobs enable row level security;
revoke all on private.jobs from public, anon, authenticated;

-- Runs the job, a function without arguments, unless another server runs it now or has run it a moment ago.
-- @returns whether it ran
create function private.run_job(p_job regproc, p_every interval) returns boolean
language plpgsql set search_path = '' as $$
declare
  job text := p_job::text;
begin
  if p_job is null or p_every is null then
    return false;
  end if;
  insert into private.jobs (name)
  select job where not exists (select from private.jobs j where j.name = job)
  on conflict do nothing;
  perform from private.jobs j where j.name = job and j.next_at <= now() for no key update skip locked;
  if not found then
    return false;
  end if;
  execute format('select %s()', p_job);
  update private.jobs j set next_at = now() + p_every, last_run_at = clock_timestamp(), runs = j.runs + 1
  where j.name = job;
  return true;
end
$$;

revoke all on all functions in schema private from public;
