import { useQuery, useQueryClient } from '@tanstack/react-query';
import { USUAL_LIMITS, type WorkLimits } from '#shared/demand/guards-needed.ts';
import { postsKey, rosterKey, shiftsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { today } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { calculateFigures } from './figures.ts';
import {
  type Outcome,
  outcomeSchema,
  type Post,
  type PostForm,
  postPart,
  requirementPart,
} from './schema.ts';
import type { PostSearch } from './search.ts';

const SELECTED =
  '*, sites!posts_site_id_fkey(name, client_name, timezone), post_requirements(*), post_courses(course_id, training_courses(title))';

type Filters = Pick<PostSearch, 'q' | 'sort' | 'site'>;

const SORTS = { name: 'name', site: 'sites(name)' };

function postsQuery({ q = '', sort, site }: Filters) {
  let query = supabase().from('posts').select(SELECTED, { count: 'exact' });
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  if (site !== undefined) query = query.eq('site_id', site);
  const { column, ascending } = parseOrder(sort, SORTS, { column: 'sites(name)', ascending: true });
  return query.order(column, { ascending }).order('name').order('id');
}

async function fetchPost(id: string): Promise<Post | null> {
  const { data } = await supabase()
    .from('posts')
    .select(SELECTED)
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

export const usePost = (id: string, known: Post | undefined) =>
  useQuery({
    queryKey: [...postsKey, 'one', id],
    queryFn: () => fetchPost(id),
    ...(known ? { placeholderData: known } : {}),
  });

const COLUMNS: TableColumn<Post>[] = [
  { heading: 'Site', value: (row) => row.sites.name },
  { heading: 'Post', value: (row) => row.name },
  { heading: 'Manned', value: (row) => calculateFigures(row).pattern },
  {
    heading: 'Hours a Week',
    kind: 'amount',
    value: (row) => calculateFigures(row).needed?.hours ?? null,
  },
  {
    heading: 'Guards Needed',
    value: (row) => {
      const { needed } = calculateFigures(row);
      return needed && Number(needed.total.toFixed(1));
    },
  },
];

export const postList = listQueries('posts', {
  key: postsKey,
  tables: ['posts', 'post_requirements', 'post_courses'],
  filters: ['q', 'site', 'sort'],
  rows: postsQuery,
  columns: COLUMNS,
});

async function fetchCourses() {
  const { data } = await supabase()
    .from('training_courses')
    .select('id, title')
    .order('title')
    .throwOnError();
  return data;
}

export const useCourses = () =>
  useQuery({ queryKey: [...postsKey, 'courses'], queryFn: fetchCourses });

async function fetchLimits(): Promise<WorkLimits> {
  const { data } = await supabase()
    .from('rule_sets')
    .select('*')
    .lte('effective_from', today())
    .order('effective_from', { ascending: false })
    .limit(1)
    .throwOnError();
  return data[0] ?? USUAL_LIMITS;
}

/** The limits in force, and the usual ones until they are loaded. */
export function useLimits(): WorkLimits {
  const { data = USUAL_LIMITS } = useQuery({
    queryKey: [...postsKey, 'limits'],
    queryFn: fetchLimits,
  });
  return data;
}

type SavePost = {
  /** Undefined for a new post. */
  id: string | undefined;
  form: PostForm;
  /** Whether the requirement is saved too. */
  withRequirement: boolean;
};

async function sendPost(
  { id, form, withRequirement }: SavePost,
  isPreview: boolean,
): Promise<Outcome> {
  const { data } = await supabase()
    .rpc('save_post', {
      p_post: postPart(form, id),
      p_courses: form.courses,
      ...(withRequirement ? { p_requirement: requirementPart(form) } : {}),
      p_preview: isPreview,
    })
    .throwOnError();
  return outcomeSchema.parse(data);
}

/** Effects of saving on the shifts ahead. */
export const previewPost = (change: SavePost) => sendPost(change, true);

async function sendRemoval(id: string, isPreview: boolean): Promise<Outcome> {
  const { data } = await supabase()
    .rpc('remove_post', { p_post_id: id, p_preview: isPreview })
    .throwOnError();
  return outcomeSchema.parse(data);
}

/** Shifts and rosters follow the posts. */
function usePostChange<Args>(change: (args: Args) => Promise<Outcome>) {
  const queryClient = useQueryClient();
  return useChange(postsKey, async (args: Args) => {
    const outcome = await change(args);
    void queryClient.invalidateQueries({ queryKey: shiftsKey });
    void queryClient.invalidateQueries({ queryKey: rosterKey });
    return outcome;
  });
}

export const useSavePost = () => usePostChange((change: SavePost) => sendPost(change, false));

export const useRemovePost = () => usePostChange((id: string) => sendRemoval(id, false));

/** Never cached: it must not show counts of before. */
export const useRemovalPreview = (id: string) =>
  useQuery({
    queryKey: [...postsKey, 'removal', id],
    queryFn: () => sendRemoval(id, true),
    gcTime: 0,
  });
