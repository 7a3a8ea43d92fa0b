import { useQuery } from '@tanstack/react-query';
import { Avatar } from '#web/components/ui/avatar.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { formatDateTime, formatTime, toDay, today } from '#web/lib/format/dates.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';
import { nowQuery, type PostNow, photoQuery } from './api.ts';

/** @returns the time, with the day if it isn't today; with large text it breaks after the day only */
const shortMoment = (at: string, zone: string) =>
  toDay(at) === today()
    ? keepTogether(formatTime(at, zone))
    : formatDateTime(at, zone).replace(/\d+:\d\d.*$/, keepTogether);

const keepTogether = (time: string) => time.replaceAll(' ', '\u00a0');

export function describeState(there: number, required: number): [label: string, tone: Tone] {
  if (there >= required)
    return [there === 1 ? '1 guard on post' : `${there} guards on post`, 'green'];
  if (there === 0)
    return [required === 1 ? 'No guard on post' : `None of ${required} on post`, 'red'];
  return [`${there} of ${required} guards on post`, 'orange'];
}

type GuardLineProps = { guard: PostNow['guards'][number]; timezone: string };

function GuardLine({ guard: { name, since, photo }, timezone }: GuardLineProps) {
  const { data } = useQuery(photoQuery(photo));
  return (
    <li className="flex items-center gap-3 text-muted">
      <Avatar name={name} photo={data} className="size-12 text-lg" />
      <span className="min-w-0">
        <span className="font-semibold break-words text-ink">{name}</span>, since{' '}
        <time dateTime={since} className="tabular-nums">
          {shortMoment(since, timezone)}
        </time>
      </span>
    </li>
  );
}

function Post({ post }: { post: PostNow }) {
  const { post_name: name, required, guards, timezone } = post;
  const [label, tone] = describeState(guards.length, required);
  return (
    <li className="px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 className="font-semibold break-words">{name ?? 'Guards'}</h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {guards.length > 0 && (
        <ul className="mt-3 grid gap-2">
          {guards.map((guard) => (
            <GuardLine
              key={`${guard.name} ${guard.since} ${guard.photo}`}
              guard={guard}
              timezone={timezone}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

function Site({ posts }: { posts: readonly [PostNow, ...PostNow[]] }) {
  const [{ site_id: id, site_name: name, address, next_at: next, timezone }] = posts;
  const isDue = posts.some(({ required, guards }) => required > 0 || guards.length > 0);
  return (
    <section aria-labelledby={`site-${id}`}>
      <Card className="h-full break-inside-avoid">
        <div className="border-b border-line px-4 py-3.5 sm:px-5">
          <h2 id={`site-${id}`} className="font-display text-xl leading-tight break-words">
            {name}
          </h2>
          <p className="mt-0.5 text-sm break-words text-muted">{address}</p>
        </div>
        {isDue ? (
          <ul className="divide-y divide-line">
            {posts.map((post) => (
              <Post key={post.post_id ?? ''} post={post} />
            ))}
          </ul>
        ) : (
          <p className="px-4 py-4 text-muted sm:px-5">
            No guard is due now.
            {next && ` The next shift starts ${shortMoment(next, timezone)}.`}
          </p>
        )}
      </Card>
    </section>
  );
}

/** @returns the posts of each site, in the order of the rows */
function bySite(rows: readonly PostNow[]): [PostNow, ...PostNow[]][] {
  const sites = new Map<string, [PostNow, ...PostNow[]]>();
  for (const row of rows) {
    const known = sites.get(row.site_id);
    if (known) known.push(row);
    else sites.set(row.site_id, [row]);
  }
  return [...sites.values()];
}

export function NowScreen() {
  const query = useQuery(nowQuery);
  usePageTitle('Now');
  const at = new Date(query.dataUpdatedAt).toISOString();
  return (
    <>
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h1 className="font-display text-3xl leading-tight sm:text-4xl">Who is on post</h1>
        {query.data && (
          <p className="text-sm text-muted">
            As of <time dateTime={at}>{formatTime(at)}</time>
          </p>
        )}
      </div>
      <Loaded query={query} loadingText="Loading your sites">
        {(rows) =>
          rows.length === 0 ? (
            <EmptyNote>No site is linked to your company yet.</EmptyNote>
          ) : (
            <div className="grid items-start gap-5 lg:grid-cols-2">
              {bySite(rows).map((posts) => (
                <Site key={posts[0].site_id} posts={posts} />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  );
}
