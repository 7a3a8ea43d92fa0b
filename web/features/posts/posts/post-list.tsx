import { useState } from 'react';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { postList } from './api.ts';
import { calculateFigures, roundedFigure } from './figures.ts';
import { PostDialog } from './post-dialog.tsx';
import { RemovePostDialog } from './remove-post-dialog.tsx';
import type { Post } from './schema.ts';
import type { PostSearch } from './search.ts';

function Needs({ post }: { post: Post }) {
  const needs = [
    ...post.post_courses.map(({ training_courses: { title } }) => title),
    ...(post.gender === 'female' ? ['Women only'] : []),
    ...(post.gender === 'male' ? ['Men only'] : []),
    ...(post.needs_induction ? ['Induction'] : []),
    ...(post.lone_worker ? ['Lone worker'] : []),
  ];
  return <span className="text-muted">{needs.join(', ') || 'Nothing special'}</span>;
}

const postColumns: Column<Post>[] = [
  {
    header: 'Post',
    card: 'title',
    className: 'font-semibold',
    sort: 'name',
    cell: (row) => row.name,
  },
  { header: 'Code', className: 'tabular-nums', cell: (row) => row.code },
  { header: 'Site', sort: 'site', cell: (row) => row.sites.name },
  { header: 'Manned', className: 'min-w-40', cell: (row) => calculateFigures(row).pattern },
  {
    header: 'Hours a week',
    className: AMOUNT,
    cell: (row) => roundedFigure(calculateFigures(row).needed?.hours ?? 0),
  },
  {
    header: 'Guards needed',
    className: AMOUNT,
    cell: (row) => roundedFigure(calculateFigures(row).needed?.total ?? 0),
  },
  { header: 'Needs', cell: (row) => <Needs post={row} /> },
];

const nameOf = (row: Post) => `${row.name}, ${row.sites.name}`;

const FILTERS = [{ kind: 'site', key: 'site' }] as const;

type PostListProps = { search: PostSearch; onChange: ChangeSearch<PostSearch> };

export function PostList({ search, onChange }: PostListProps) {
  const [removing, setRemoving] = useState<Post>();
  const { roles } = useAuth();
  // Dispatchers only look: see the policies of posts.
  const mayChange = roles.some((role) => ['admin', 'ops_manager', 'supervisor'].includes(role));
  return (
    <ListScreen
      {...postList.useScreen(search, onChange)}
      title="Posts"
      subtitle="What each site needs, and when. Shifts of the next six weeks follow by themselves."
      {...(mayChange ? { addLabel: 'Add Post' } : {})}
      filters={FILTERS}
      Table={TableRows}
      columns={postColumns}
      actions={mayChange ? { nameOf, onDelete: setRemoving } : undefined}
      dialog={(opened) =>
        mayChange && <PostDialog key={opened.open} {...opened} siteId={search.site} />
      }
    >
      {removing && <RemovePostDialog post={removing} onClose={() => setRemoving(undefined)} />}
    </ListScreen>
  );
}
