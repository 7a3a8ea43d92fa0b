-- Alerts at many sites at once, as when shifts begin everywhere or the servers were off: one notice a person, not one a site.

-- The planners who get a site's notices: dispatchers and its supervisors, or the managers if there are none. Never the caller.
create function private.planners_of(p_sites uuid[]) returns table (site_id uuid, user_id uuid)
language sql stable security definer set search_path = '' as $$
  with near as materialized (
    select w.site_id, r.user_id from unnest(p_sites) w (site_id) cross join public.user_roles r
    where r.role = 'dispatcher' and r.user_id is distinct from auth.uid()
    union
    select r.site_id, r.user_id from public.user_roles r
    where r.role = 'supervisor' and r.site_id = any (p_sites) and r.user_id is distinct from auth.uid()
  )
  select n.site_id, n.user_id from near n
  union
  select w.site_id, r.user_id
  from unnest(p_sites) w (site_id)
  join public.user_roles r on r.role in ('ops_manager', 'admin')
  where r.user_id is distinct from auth.uid() and not exists (select from near n where n.site_id = w.site_id);
$$;

create or replace function private.notify_planners(p_site uuid, p_kind text, p_title text, p_body text, p_link text, p_key text)
returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify(planner.user_id, p_kind, p_title, p_body, p_link, p_key || ':' || planner.user_id)
  from (select p.user_id from private.planners_of(array[p_site]) p order by 1) planner;
end
$$;

-- One notice per site and reader, or one per reader for more than three sites at once. Unacknowledged alerts go to the
-- operations managers first and then to the admins, others to the planners of the site.
create function private.notify_of_alerts(p_alerts uuid[], p_is_late boolean) returns void
language plpgsql security definer set search_path = '' as $$
declare
  most_sites constant integer := 3;
begin
  perform private.notify(n.user_id, 'alert', n.title, n.body, '/admin/operations', n.key || ':' || n.user_id)
  from (
    with news as materialized (
      select a.site_id, t.name, a.escalations, count(*) as alerts, min(private.alert_title(a.kind)) as title,
        'alert:' || min(a.id::text) || case when p_is_late then ':' || a.escalations else '' end as key,
        left(string_agg(coalesce(a.detail, private.alert_title(a.kind)), e'\n' order by a.raised_at, a.id), 2000) as details
      from public.alerts a join public.sites t on t.id = a.site_id
      where a.id = any (p_alerts) group by a.site_id, t.name, a.escalations
    ), readers as (
      select n.*, r.user_id from news n
      join (select distinct r.user_id, r.role from public.user_roles r where r.role in ('ops_manager', 'admin')) r
        on r.role = case n.escalations when 1 then 'ops_manager' else 'admin' end
      where p_is_late
      union all
      select n.*, p.user_id from news n
      join private.planners_of(case when p_is_late then '{}' else array(select w.site_id from news w) end) p
        on p.site_id = n.site_id
    ), told as (
      select r.*, count(*) over (partition by r.user_id, r.escalations) as sites from readers r
    )
    select t.user_id, t.details as body, t.key,
      case
        when p_is_late and t.alerts = 1 then format('Not acknowledged: %s, %s', t.title, t.name)
        when p_is_late then format('%s alerts not acknowledged: %s', t.alerts, t.name)
        when t.alerts = 1 then format('%s: %s', t.title, t.name)
        else format('%s new alerts: %s', t.alerts, t.name) end as title
    from told t where t.sites <= most_sites
    union all
    select t.user_id,
      left(string_agg(format('%s: %s', t.name, case when t.alerts = 1 then t.title else t.alerts || ' alerts' end),
        e'\n' order by t.name, t.site_id), 2000),
      min(t.key),
      format(case when p_is_late then '%s alerts not acknowledged at %s sites' else '%s new alerts at %s sites' end,
        sum(t.alerts), count(*))
    from told t where t.sites > most_sites group by t.user_id, t.escalations
    order by 1, 3
  ) n;
end
$$;

create or replace function private.tell_of_alerts(p_alerts uuid[]) returns void
language sql security definer set search_path = '' as $$
  select private.notify_of_alerts(p_alerts, false);
$$;

create or replace function private.escalate_alerts() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  late uuid[];
begin
  late := array(
    select a.id from public.alerts a join public.sites t on t.id = a.site_id
    where a.closed_at is null and a.acknowledged_at is null and a.escalations < 2
      and coalesce(a.escalated_at, a.raised_at) <= now() - make_interval(mins => t.escalate_after_minutes)
    for update of a skip locked
  );
  if late = '{}' then
    return 0;
  end if;
  update public.alerts a set escalations = a.escalations + 1, escalated_at = now() where a.id = any (late);
  perform private.notify_of_alerts(late, true);
  return cardinality(late);
end
$$;

revoke all on all functions in schema private from public;
