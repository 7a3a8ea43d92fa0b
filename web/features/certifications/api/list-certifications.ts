// One page of the certifications, the one that ends first at the top, refreshed whenever one changes.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { orderOf, rangeOf } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE, pageOf } from '#web/lib/data/pages.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { certificationsKey } from '../../../lib/data/keys.ts';
import type { CertificationRow, CertificationSearch } from '../schema.ts';

export type CertificationFilters = Pick<
  CertificationSearch,
  'q' | 'state' | 'course' | 'person' | 'sort'
>;

const SORTS = {
  person: 'profiles(full_name)',
  course: 'training_courses(title)',
  issued: 'issued_at',
  expires: 'expires_at',
};

/** The certifications that a search for a person and the filters leave, in the order of the screen. */
export function certificationsQuery({ q = '', state, course, person, sort }: CertificationFilters) {
  let query = supabase()
    .from('certifications')
    .select('*, validity, profiles!inner(full_name, email), training_courses!inner(title)', {
      count: 'exact',
    });
  // A computed column, which the types of the table do not name.
  if (state) query = query.filter('validity', 'eq', state);
  if (course) query = query.eq('course_id', course);
  if (person) query = query.eq('user_id', person);
  for (const filter of searchFilters(['full_name', 'email'], q)) {
    query = query.or(filter, { referencedTable: 'profiles' });
  }
  const { column, ascending } = orderOf(sort, SORTS, { column: 'expires_at', ascending: true });
  return query.order(column, { ascending }).order('id').returns<CertificationRow[]>();
}

type PagedFilters = CertificationFilters & Pick<CertificationSearch, 'page'>;

export function useCertifications({ page = 1, ...filters }: PagedFilters) {
  useLiveTable('certifications', certificationsKey);
  return useQuery({
    queryKey: [...certificationsKey, 'list', filters, page],
    queryFn: async () =>
      pageOf(await certificationsQuery(filters).range(...rangeOf(page, PAGE_SIZE))),
    placeholderData: keepPreviousData,
  });
}
