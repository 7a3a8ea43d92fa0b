-- The database numbers letters, so the generated types must not ask for a version.
comment on column public.incident_letters.version is 'Derived: counts the letters about an incident';
comment on column public.incident_letters.sent_by is 'Derived: who wrote it';
