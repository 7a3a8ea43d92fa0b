create view public.people_list with (security_barrier=true) as  SELECT p.id,
    COALESCE(NULLIF(p.full_name, ''::text), p.email, ''::text) AS name,
    p.email,
    p.phone,
    p.photo_path,
    p.left_on,
        CASE
            WHEN (p.left_on < today.day) THEN 'left'::text
            WHEN (p.left_on IS NOT NULL) THEN 'leaving'::text
            WHEN p.must_change_password THEN 'invited'::text
            ELSE 'active'::text
        END AS state,
    COALESCE(held.roles, '{}'::text[]) AS roles,
    held.sites AS supervised_sites,
    next.starts_at AS next_start,
    next.ends_at AS next_end,
    next.site_name AS next_site,
    next.timezone AS next_timezone,
    array_remove(ARRAY[
        CASE
            WHEN (held.roles IS NULL) THEN 'role'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (p.phone IS NULL) THEN 'phone'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (p.photo_path IS NULL) THEN 'photo'::text
            ELSE NULL::text
        END,
        CASE
            WHEN ((p.home_region IS NULL) AND (p.home_position IS NULL) AND (held.roles @> '{guard}'::text[])) THEN 'home'::text
            ELSE NULL::text
        END,
        CASE
            WHEN p.must_change_password THEN 'sign_in'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (NOT (EXISTS ( SELECT
               FROM public.staff s
              WHERE (s.user_id = p.id)))) THEN 'pay'::text
            ELSE NULL::text
        END,
        CASE
            WHEN (EXISTS ( SELECT
               FROM public.certifications c
              WHERE (c.user_id = p.id)
              GROUP BY c.course_id
             HAVING (max(c.expires_at) <= now()))) THEN 'certificate'::text
            ELSE NULL::text
        END], NULL::text) AS missing
   FROM (((public.profiles p
     CROSS JOIN ( SELECT private.company_date() AS day) today)
     LEFT JOIN LATERAL ( SELECT array_agg(DISTINCT r.role ORDER BY r.role) AS roles,
            string_agg(t.name, ', '::text ORDER BY t.name) AS sites
           FROM (public.user_roles r
             LEFT JOIN public.sites t ON ((t.id = r.site_id)))
          WHERE (r.user_id = p.id)) held ON (true))
     LEFT JOIN LATERAL ( SELECT a.starts_at,
            upper(a.period) AS ends_at,
            t.name AS site_name,
            t.timezone
           FROM (public.assignments a
             JOIN public.sites t ON ((t.id = a.site_id)))
          WHERE ((a.user_id = p.id) AND a.counts_as_staffed AND (a.attendance_state <> 'out'::text) AND (upper(a.period) > now()))
          ORDER BY a.starts_at
         LIMIT 1) next ON (true))
  WHERE (( SELECT private.has_role(VARIADIC ARRAY['admin'::text, 'ops_manager'::text, 'hr'::text]) AS has_role) AND (NOT (EXISTS ( SELECT
           FROM private.client_accounts c
          WHERE (c.user_id = p.id)))))
UNION ALL
 SELECT s.id,
    s.full_name AS name,
    s.email,
    COALESCE(private.e164(s.phone), s.phone) AS phone,
    NULL::text AS photo_path,
    s.end_date AS left_on,
        CASE
            WHEN ((s.status = 'inactive'::text) OR (s.end_date < today.day)) THEN 'left'::text
            WHEN (s.end_date IS NOT NULL) THEN 'leaving'::text
            ELSE 'active'::text
        END AS state,
    '{}'::text[] AS roles,
    NULL::text AS supervised_sites,
    NULL::timestamp with time zone AS next_start,
    NULL::timestamp with time zone AS next_end,
    NULL::text AS next_site,
    NULL::text AS next_timezone,
    array_remove(ARRAY['account'::text,
        CASE
            WHEN (s.phone IS NULL) THEN 'phone'::text
            ELSE NULL::text
        END], NULL::text) AS missing
   FROM (public.staff s
     CROSS JOIN ( SELECT private.company_date() AS day) today)
  WHERE ((s.user_id IS NULL) AND ( SELECT private.has_role(VARIADIC ARRAY['admin'::text]) AS has_role));

CREATE OR REPLACE FUNCTION public.search_text(person public.people_list)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN private.folded(concat_ws(' '::text, (person).name, (person).email, (person).phone));

revoke all on public.people_list from service_role;
grant select on public.people_list to authenticated;

grant execute on function public.search_text(public.people_list) to authenticated;

comment on column public.people_list.id is 'Never null';

comment on column public.people_list.name is 'Never null';

comment on column public.people_list.roles is 'Never null';

comment on column public.people_list.state is 'Never null: active; invited: has not chosen a password yet; leaving: the last day is set; left: the last day is over';

comment on column public.people_list.next_start is 'Of the duty that runs or comes next, unless the guard has clocked out of it';

comment on column public.people_list.missing is 'Never null: what a complete record has and this one lacks, or only in an expired form';
