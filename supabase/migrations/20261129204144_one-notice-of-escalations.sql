create or replace FUNCTION private.escalate_incidents()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
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
  perform private.notify(news.user_id, 'incident', format('%s: %s', news.words[(news.step).level + 1], i.title),
    format('%s, %s, due %s', t.name, i.severity, private.time_text((news.step).deadline, t.timezone)),
    '/admin/incidents?open=' || i.id, format('incident_step:%s:%s', (news.step).id, news.user_id))
  from (
    -- After downtime several steps are due at once: each person hears of the last.
    select distinct on (recipient.id, e.incident_id, e.goal) recipient.id as user_id, e as step,
      case e.goal
        when 'response' then array['Respond soon', 'No response in time', 'Still no response',
          'No response, escalated to admins']
        else array['Resolve soon', 'Not resolved in time', 'Still not resolved', 'Not resolved, escalated to admins']
      end as words
    from public.incident_escalations e cross join lateral private.escalation_recipients(e) recipient (id)
    where e.id = any (steps) order by recipient.id, e.incident_id, e.goal, e.level desc
  ) news
  join public.incidents i on i.id = (news.step).incident_id
  join public.sites t on t.id = i.site_id;
  return cardinality(steps);
end
$function$;
