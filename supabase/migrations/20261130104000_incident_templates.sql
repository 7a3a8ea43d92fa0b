-- Reports with witnesses and when it happened, and templates for what happens often.

create or replace FUNCTION private.clear_doubtful_writing_time()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if new.written_at not between now() - interval '30 days' and now() - interval '2 minutes' then
    new.written_at := null;
  end if;
  -- The office, which enters what others report, chose the time on a screen that refuses the future.
  if new.raised_by_user_id = auth.uid() and new.caller is null and new.happened_at > now() then
    new.happened_at := null;
  end if;
  return new;
end
$function$;

alter table public.incidents add column witnesses text check (char_length(witnesses) <= 1000);
comment on column public.incidents.witnesses
  is 'Who saw it, and how to reach them. For the company alone: no letter and no client''s page has it';
grant insert (witnesses) on public.incidents to authenticated;
select private.tidy_texts_of('public.incidents', 'title', 'description', 'notes', 'caller', 'witnesses');
drop trigger b_keep_time_written on public.incidents;
create trigger b_keep_time_written before insert on public.incidents
  for each row when ((new.written_at is not null or new.happened_at is not null) and auth.uid() is not null)
  execute function private.clear_doubtful_writing_time();

-- What happens often at a site or at all of them: a guard taps one, and writes what is asked instead of an essay.
create table public.incident_templates (
  id uuid default gen_random_uuid() primary key,
  site_id uuid references public.sites on delete cascade,
  title text not null check (char_length(title) between 5 and 200),
  category text not null
    check (category in ('security', 'safety', 'property', 'medical', 'fire', 'theft', 'vandalism', 'other')),
  severity text not null check (severity in ('low', 'medium', 'high', 'critical')),
  questions text not null check (char_length(questions) between 5 and 2000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint incident_templates_title_key unique nulls not distinct (site_id, title)
);
comment on column public.incident_templates.site_id is 'Null: offered at every site';
comment on column public.incident_templates.questions is 'The report''s description begins with them';
alter table public.incident_templates replica identity full;
alter publication supabase_realtime add table public.incident_templates;
-- Triggers, in the order in which they fire:
select private.tidy_texts_of('public.incident_templates', 'title', 'questions');
create trigger d_touch before update on public.incident_templates for each row execute function private.touch();
select private.keep_history_of('public.incident_templates');
alter table public.incident_templates enable row level security;
grant select, insert, update, delete on public.incident_templates to authenticated;
grant all on public.incident_templates to service_role;
create policy "Members read templates of reports" on public.incident_templates
  for select to authenticated using ((select private.is_member()));
create policy "Managers add templates of reports" on public.incident_templates
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager')));
create policy "Managers change templates of reports" on public.incident_templates
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager')))
  with check ((select private.has_role('admin', 'ops_manager')));
create policy "Managers delete templates of reports" on public.incident_templates
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager')));

delete from private.personal_data r where to_jsonb(r) @> '{"texts": ["title", "description", "notes", "caller"], "newest": "r.created_at", "target": "public.incidents", "belongs": "r.raised_by_user_id = $1", "blanked": [], "withheld": [], "is_shared": false, "on_erasure": "keep"}';

delete from private.personal_data r where to_jsonb(r) @> '{"texts": ["title", "description", "notes", "caller"], "newest": "1", "target": "public.incidents", "belongs": "$1 in (r.owner_id, r.entered_by)", "blanked": [], "withheld": null, "is_shared": true, "on_erasure": "keep"}';

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": ["title", "description", "notes", "caller", "witnesses"], "newest": "r.created_at", "target": "public.incidents", "belongs": "r.raised_by_user_id = $1", "blanked": [], "withheld": [], "is_shared": false, "on_erasure": "keep"}');

insert into private.personal_data ("texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure") select "texts","newest","target","belongs","blanked","withheld","is_shared","on_erasure" from jsonb_populate_record(null::private.personal_data, '{"texts": ["title", "description", "notes", "caller", "witnesses"], "newest": "1", "target": "public.incidents", "belongs": "$1 in (r.owner_id, r.entered_by)", "blanked": [], "withheld": null, "is_shared": true, "on_erasure": "keep"}');
