-- Training courses, and who has which certificate until when.
create table public.training_courses (
  id uuid primary key default gen_random_uuid(),
  title text not null check (char_length(title) <= 200),
  description text check (char_length(description) <= 5000),
  -- How long a certificate is valid; the form suggests the expiry from it.
  validity_months integer check (validity_months between 1 and 600),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index training_courses_title_key on public.training_courses (lower(title));

select private.tidy_texts_of('public.training_courses', 'title', 'description');
create trigger d_touch before update on public.training_courses
  for each row execute function private.touch();
select private.keep_history_of('public.training_courses');

alter table public.training_courses enable row level security;
revoke all on public.training_courses from anon, authenticated;
grant select, insert, update, delete on public.training_courses to authenticated;

create policy "Members read training courses" on public.training_courses
  for select to authenticated using ((select private.is_member()));
create policy "People managers add training courses" on public.training_courses
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers change training courses" on public.training_courses
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'hr')))
  with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers delete training courses" on public.training_courses
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));

create table public.certifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  course_id uuid not null references public.training_courses (id),
  certificate_number text check (char_length(certificate_number) <= 100),
  issued_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint certifications_expire_after_issue check (expires_at > issued_at)
);

create index certifications_expires_at_idx on public.certifications (expires_at);
create index certifications_user_id_idx on public.certifications (user_id, expires_at desc);
create index certifications_course_id_idx on public.certifications (course_id);

select private.tidy_texts_of('public.certifications', 'certificate_number');
create trigger d_touch before update on public.certifications
  for each row execute function private.touch();
select private.keep_history_of('public.certifications');
create trigger c_in_use before delete on public.training_courses for each row
  execute function private.refuse_while_used('certifications', 'course_id',
    'Certificates of this course exist, so it can''t be deleted.');

alter table public.certifications enable row level security;
revoke all on public.certifications from anon, authenticated;
grant select, insert, update, delete on public.certifications to authenticated;

create policy "Overseers and HR read certifications" on public.certifications
  for select to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'supervisor', 'hr')));
create policy "Guards read their own certifications" on public.certifications
  for select to authenticated using (user_id = (select auth.uid()) and (select private.is_member()));
create policy "People managers add certifications" on public.certifications
  for insert to authenticated with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers change certifications" on public.certifications
  for update to authenticated
  using ((select private.has_role('admin', 'ops_manager', 'hr')))
  with check ((select private.has_role('admin', 'ops_manager', 'hr')));
create policy "People managers delete certifications" on public.certifications
  for delete to authenticated using ((select private.has_role('admin', 'ops_manager', 'hr')));

alter publication supabase_realtime add table public.training_courses;
alter publication supabase_realtime add table public.certifications;
alter table public.certifications replica identity full;

-- A computed column for filters and badges (`select=*,validity`): expiring means within the next 30 days.
create function public.validity(certification public.certifications) returns text
language sql stable set search_path = '' as $$
  select case
    when certification.expires_at < now() then 'expired'
    when certification.expires_at <= now() + interval '30 days' then 'expiring'
    else 'valid'
  end;
$$;

-- Per course, how many certifications are in which state, of those that the caller may read.
create function public.certification_totals() returns table (
  course_id uuid, valid integer, expiring integer, expired integer
)
language sql stable set search_path = '' as $$
  select
    c.course_id,
    (count(*) filter (where public.validity(c) = 'valid'))::integer,
    (count(*) filter (where public.validity(c) = 'expiring'))::integer,
    (count(*) filter (where public.validity(c) = 'expired'))::integer
  from public.certifications c
  group by c.course_id;
$$;

revoke all on function public.validity, public.certification_totals from public, anon;
grant execute on function public.validity, public.certification_totals to authenticated;
