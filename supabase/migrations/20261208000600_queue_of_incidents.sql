-- As before, with the last review, note and letter of all incidents read at once instead of one by one.
create or replace function public.incident_queue()
returns table (to_review integer, returned integer, to_approve integer, late integer)
language sql stable security definer set search_path = '' as $$
  with own as materialized (
    select i.id, i.status in ('open', 'investigating') as is_active, i.due_at, i.created_at, s.response, s.resolution
    from public.incidents i
    join private.goal_spans() s on s.severity = i.severity and i.created_at >= s.first and i.created_at < s.until
    where i.status <> 'closed' and (
      (select private.has_role('admin', 'ops_manager', 'supervisor'))
      or i.site_id = any ((select private.supervised_sites())::uuid[])
    )
  ),
  review as materialized (
    select r.incident_id, max(r.created_at) as last, max(r.created_at) filter (where r.decision = 'accepted') as accepted
    from public.incident_reviews r where r.incident_id in (select o.id from own o)
    group by 1
  ),
  note as materialized (
    select n.incident_id, max(n.created_at) as last
    from public.report_notes n where n.incident_id in (select r.incident_id from review r)
    group by 1
  ),
  letter as materialized (
    select distinct on (l.incident_id) l.incident_id, l.approved_at is null as waits
    from public.incident_letters l where l.incident_id in (select o.id from own o)
    order by l.incident_id, l.version desc
  ),
  judged as (
    select case
        when r.last is null then 'waiting'
        when r.accepted = r.last then 'reviewed'
        when n.last > r.last then 'answered'
        else 'returned'
      end as state,
      l.waits,
      o.is_active and (
        coalesce(o.due_at, o.created_at + o.resolution) < now()
        or o.created_at + o.response < now() and r.last is null and not exists (
          select from public.incident_updates u where u.incident_id = o.id
        )
      ) as is_late
    from own o
    left join review r on r.incident_id = o.id
    left join note n on n.incident_id = o.id
    left join letter l on l.incident_id = o.id
  )
  select count(*) filter (where j.state in ('waiting', 'answered'))::integer,
    count(*) filter (where j.state = 'returned')::integer,
    count(*) filter (where j.waits)::integer,
    count(*) filter (where j.is_late)::integer
  from judged j;
$$;
