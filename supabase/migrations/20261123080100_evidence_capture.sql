-- When and where a photo or document was taken. The photo's own record where it has one, else the phone that attached it.
alter table public.evidence
  add column taken_at timestamptz,
  add column gps text check (private.is_position(gps)),
  add column located_by text check (located_by in ('photo', 'device')),
  -- Which of both a position comes from is part of what it is worth.
  add constraint evidence_position_has_a_source check ((gps is null) = (located_by is null));
comment on column public.evidence.taken_at is 'From the photo''s own record, else when it was attached';
comment on column public.evidence.gps is 'Text ''lat,lng'' in degrees';
comment on column public.evidence.located_by is 'photo: the file''s own record; device: the phone when it was attached';
