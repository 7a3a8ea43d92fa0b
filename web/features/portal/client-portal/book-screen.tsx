// Days of the book of the post that were released to the client.
import { useQuery } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { DisclosureButton, DisclosureMark } from '#web/components/ui/disclosure.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { formatDateTime, formatDay, formatTime } from '#web/lib/format/dates.ts';
import { downloadPostPage } from '#web/lib/reports/download-post-page.ts';
import { cameIn, changeWords, type PostPage, timeOn } from '#web/lib/reports/post-page.ts';
import { lineLabel } from '#web/lib/vocabulary/book.ts';
import { pageQuery, pagesQuery, type ReleasedDay } from './book-api.ts';

function Changes({ page: { changes, facts } }: { page: PostPage }) {
  if (changes.length === 0) return null;
  return (
    <div>
      <h3 className="font-semibold">Changed since the version before</h3>
      <ul aria-label="Changes" className="text-sm">
        {changes.map((change, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines of a minute may read alike.
          <li key={at}>{changeWords(change, facts.timezone)}</li>
        ))}
      </ul>
    </div>
  );
}

function Guards({ page: { day, facts } }: { page: PostPage }) {
  if (facts.guards === null) return null;
  const { timezone: zone, guards } = facts;
  return (
    <div>
      <h3 className="font-semibold">On post</h3>
      {guards.length === 0 ? (
        <p>Nobody clocked in.</p>
      ) : (
        <ul aria-label="On post" className="mt-1 grid gap-1.5">
          {guards.map(({ name, post, since, until }) => (
            <li key={`${name} ${since}`}>
              {[name, post].filter(Boolean).join(', ')}
              <span className="block text-sm text-muted">
                {timeOn(day, since, zone)} to {until ? timeOn(day, until, zone) : 'still on post'}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Lines({ page: { lines, facts } }: { page: PostPage }) {
  if (lines.length === 0) return <p className="text-muted">No entries.</p>;
  return (
    <ul aria-label="Entries" className="divide-y divide-line border-y border-line">
      {lines.map(({ source, id, step, kind, at, words, author, post_name: post }) => (
        <li key={`${source} ${id} ${step}`} className="flex gap-3 py-2.5">
          <time
            dateTime={at}
            className="w-18 shrink-0 pt-px text-sm font-semibold whitespace-nowrap tabular-nums"
          >
            {formatTime(at, facts.timezone)}
          </time>
          <div className="min-w-0">
            <p className="break-words">
              <span className="font-semibold">{lineLabel(kind, step)}</span>
              {words && <span className="whitespace-pre-line"> {words}</span>}
            </p>
            <p className="text-sm break-words text-muted">
              {[author, post].filter(Boolean).join(', ')}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Body({ day }: { day: ReleasedDay }) {
  const query = useQuery(pageQuery(day.id));
  const { save, busy } = useSave({ success: 'PDF downloaded', failure: 'No PDF' });
  return (
    <div className="mt-4 grid max-w-3xl gap-4">
      <Loaded query={query} loadingText="Loading the page">
        {(page) => (
          <>
            <p className="text-sm text-muted">
              Midnight to midnight. {cameIn(page)}. Released{' '}
              <time dateTime={page.released_at}>{formatDateTime(page.released_at)}</time>
            </p>
            <Button
              variant="secondary"
              busy={busy}
              className="justify-self-start print:hidden"
              aria-label={`PDF of ${formatDay(day.day)}, ${day.site_name}`}
              onClick={() => void save(() => downloadPostPage(page))}
            >
              {!busy && <FileDown aria-hidden="true" className="size-4.5" />}PDF
            </Button>
            <Changes page={page} />
            <Guards page={page} />
            <h3 className="-mb-2 font-semibold">Entries</h3>
            <Lines page={page} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function DayCard({ day }: { day: ReleasedDay }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { site_name: site, line_count: lines, visitors, version } = day;
  return (
    <Card className="p-4 sm:p-5">
      <div className="relative">
        <div className="flex items-start justify-between gap-4">
          <h2 className="min-w-0 font-semibold break-words">
            <DisclosureButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
              {formatDay(day.day)}, {site}
            </DisclosureButton>
          </h2>
          <DisclosureMark isOpen={isOpen} className="mt-0.5 size-5 shrink-0" />
        </div>
        <p className="mt-0.5 text-sm text-muted">
          {lines} {lines === 1 ? 'entry' : 'entries'}, {visitors}{' '}
          {visitors === 1 ? 'visitor' : 'visitors'}
        </p>
        {version > 1 && (
          <p className="mt-2">
            <Badge tone="orange">Corrected</Badge>
          </p>
        )}
      </div>
      <div id={id}>{isOpen && <Body day={day} />}</div>
    </Card>
  );
}

export function BookScreen() {
  const query = useQuery(pagesQuery);
  usePageTitle('Book of the Post');
  return (
    <>
      <h1 className="mb-5 font-display text-3xl leading-tight sm:text-4xl">Book of the Post</h1>
      <Loaded query={query} loadingText="Loading your days">
        {(days) =>
          days.length === 0 ? (
            <EmptyNote>No day was released to you yet.</EmptyNote>
          ) : (
            <ul aria-label="Days" className="grid gap-4">
              {days.map((day) => (
                <li key={day.id}>
                  <DayCard day={day} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
