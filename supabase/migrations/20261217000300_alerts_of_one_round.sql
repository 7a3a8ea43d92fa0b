-- Welfare checks without an answer and rounds that nobody finished are told together, as other alerts are: at a hundred times
-- the company 500 of them took 78 s, in which no other alert was raised.

-- Adds an alert without telling anybody. Once per cause: a repeated call changes nothing. @returns its id, or null
create function private.add_alert(
  p_kind text, p_cause text, p_site uuid, p_shift uuid, p_assignment uuid, p_user uuid, p_detail text,
  p_at timestamptz default now()
) returns uuid
language sql security definer set search_path = '' as $$
  insert into public.alerts (kind, cause, site_id, shift_id, assignment_id, user_id, detail, raised_at)
  values (p_kind, p_cause, p_site, p_shift, p_assignment, p_user, left(p_detail, 500), p_at)
  on conflict (cause) do nothing
  returning id;
$$;

revoke all on function private.add_alert(text, text, uuid, uuid, uuid, uuid, text, timestamptz) from public;

-- Once per cause: a repeated call changes nothing. @returns the id of a new alert, or null
create or replace function private.raise_alert(
  p_kind text, p_cause text, p_site uuid, p_shift uuid, p_assignment uuid, p_user uuid, p_detail text,
  p_at timestamptz default now()
) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  raised uuid := private.add_alert(p_kind, p_cause, p_site, p_shift, p_assignment, p_user, p_detail, p_at);
begin
  if raised is not null then
    perform private.tell_of_alerts(array[raised]);
  end if;
  return raised;
end
$$;

-- Asks, reminds, and tells the control room of those who did not answer. @returns how many checks had a step that was due
create or replace function private.due_welfare_checks() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  steps interval[] := private.welfare_steps();
  taken public.welfare_checks;
  people uuid[] := '{}';
  unanswered uuid[] := '{}';
  done integer := 0;
  place text;
  clock text;
begin
  perform private.make_welfare_checks();
  for taken in
    with due as (
      select c.id from public.welfare_checks c where c.next_step_at <= now()
      order by c.next_step_at limit 1000 for update skip locked
    )
    update public.welfare_checks c set
      asked_at = coalesce(c.asked_at, now()),
      reminders = case when c.asked_at is null then 0 else least(2, c.reminders + 1) end,
      reminded_at = case when c.asked_at is not null and c.reminders < 2 then now() else c.reminded_at end,
      alerted_at = case when c.reminders = 2 then now() end,
      -- After server downtime the guard still has a minute to answer between the steps.
      next_step_at = case when c.reminders < 2 then greatest(now() + interval '1 minute',
        c.due_at + steps[case when c.asked_at is null then 1 else c.reminders + 2 end]) end
    from due where c.id = due.id
    returning c.*
  loop
    done := done + 1;
    select t.name, private.clock_text(taken.due_at, t.timezone) into place, clock
    from public.sites t where t.id = taken.site_id;
    if taken.alerted_at is not null then
      unanswered := unanswered || private.add_alert('welfare', 'welfare:' || taken.id, taken.site_id, taken.shift_id, taken.assignment_id,
        taken.user_id, format('%s did not answer the check of %s or two reminders',
          private.name_of_person(taken.user_id), clock));
    else
      perform private.notify(taken.user_id, 'welfare',
        (array['Are you fine?', 'Reminder: are you fine?', 'Last reminder: are you fine?'])[taken.reminders + 1],
        format('Welfare check, %s, %s. Open this and press "I am fine", or answer OK by text message.', place, clock),
        '/staff', format('welfare:%s:%s', taken.id, taken.reminders));
      people := people || taken.user_id;
    end if;
  end loop;
  perform private.tell_of_alerts(array_remove(unanswered, null));
  perform private.send_notices_now(people);
  return done;
end
$$;

-- Alerts of rounds that were not finished in time. @returns how many are new
create or replace function private.due_tours() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  raised uuid[] := array(
    select private.add_alert('tour', private.tour_cause(r.tour_id, r.due_at), r.site_id, r.shift_id, null, null,
      format('%s, due %s: %s of %s checkpoints scanned', t.name, private.time_text(r.due_at, place.timezone),
        private.points_done(t.id, r.due_at), cardinality(t.checkpoints)),
      r.finish_by)
    from private.tour_rounds(now() - interval '12 hours', now()) r
    join public.tours t on t.id = r.tour_id
    join public.sites place on place.id = r.site_id
    -- Not for rounds that were due before the tour was planned like this.
    where r.finish_by < now() and r.opens_at >= t.updated_at
      and not exists (select from public.alerts known where known.cause = private.tour_cause(r.tour_id, r.due_at))
      and private.points_done(t.id, r.due_at) < cardinality(t.checkpoints)
  );
begin
  raised := array_remove(raised, null);
  perform private.tell_of_alerts(raised);
  return cardinality(raised);
end
$$;
