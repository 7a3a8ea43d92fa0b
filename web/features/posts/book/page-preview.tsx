// The lines of a day as the client would read them; each can be withheld before the release.
import { useSave } from '#web/components/form/use-save.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDay, formatTime } from '#web/lib/format/dates.ts';
import { downloadPostPage } from '#web/lib/reports/download-post-page.ts';
import { cameIn, type PageDraft, type PostPage } from '#web/lib/reports/post-page.ts';
import { lineLabel } from '#web/lib/vocabulary/book.ts';
import { describeLine } from './book-line.tsx';
import { type DraftLine, type PageOf, usePageDraft, useRelease, useWithhold } from './page-api.ts';

const REASONS = {
  struck: 'Struck through',
  kind: 'The site withholds this kind',
  line: 'Withheld',
} as const;

function asPage({ lines, facts, released }: PageDraft, day: string): PostPage {
  return {
    ...{ day, facts, version: undefined, released_at: undefined, are_visits_kept: true },
    changes: released?.changes ?? [],
    lines: lines.filter(({ withheld }) => withheld === null),
  };
}

type LineProps = { line: DraftLine; zone: string; page: PageOf; mayChange: boolean };

function PreviewLine({ line, zone, page, mayChange }: LineProps) {
  const { mutateAsync } = useWithhold();
  const { save, busy } = useSave({ failure: 'Not saved' });
  const { kind, step, at, words, author, withheld } = line;
  const isWithheld = withheld === 'line';
  const label = isWithheld ? 'Show' : 'Withhold';
  return (
    <li className="flex min-h-14 items-center gap-3 py-2">
      <time dateTime={at} className="w-18 shrink-0 text-sm font-semibold tabular-nums">
        {formatTime(at, zone)}
      </time>
      <div className={cn('min-w-0 flex-1', withheld !== null && 'text-muted')}>
        <p className="break-words">
          <span className="font-semibold">{lineLabel(kind, step)}</span>
          {words && <span className="whitespace-pre-line"> {words}</span>}
        </p>
        <p className="text-sm break-words text-muted">
          {[author, withheld && REASONS[withheld]].filter(Boolean).join('. ')}
        </p>
      </div>
      {mayChange && (withheld === null || isWithheld) && (
        <Button
          variant="secondary"
          busy={busy}
          aria-label={`${label} ${describeLine({ ...line, strike_reason: null })}, ${formatTime(at, zone)}`}
          onClick={() => void save(() => mutateAsync({ ...page, line, isWithheld: !isWithheld }))}
        >
          {label}
        </Button>
      )}
    </li>
  );
}

type PreviewProps = { page: PageOf; zone: string; onClose: () => void };

function Preview({ draft, page, zone, onClose }: PreviewProps & { draft: PageDraft }) {
  const release = useRelease();
  const releasing = useSave({ success: 'Released', failure: 'Not released' });
  const saving = useSave({ success: 'PDF downloaded', failure: 'No PDF' });
  const { lines, released, may_release: mayRelease } = draft;
  const canRelease = mayRelease && draft.has_client && draft.is_over;
  const isReleased = released !== null && !released.withdrawn_at;
  const isSame = isReleased && released.changes.length === 0;
  const shown = asPage(draft, page.day);
  return (
    <div className="grid gap-5">
      <p className="text-sm text-muted">
        {cameIn(shown)}. Guards have their first names; reports of incidents only their number.
      </p>
      {lines.length === 0 ? (
        <p className="py-6 text-center text-muted">No lines on this day.</p>
      ) : (
        <ul aria-label="Lines of the day" className="divide-y divide-line">
          {lines.map((line) => (
            <PreviewLine
              key={`${line.source} ${line.id} ${line.step}`}
              {...{ line, zone, page, mayChange: mayRelease }}
            />
          ))}
        </ul>
      )}
      {isSame && <Alert title="Released as it is">The client reads exactly this page.</Alert>}
      {/* Over the padding of the dialog’s body: a day has many lines. */}
      <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-wrap justify-end gap-3 border-t border-line bg-raised px-5 py-3 sm:-bottom-6 sm:-mx-7 sm:-mb-6 sm:px-7">
        <Button variant="secondary" onClick={onClose}>
          Close
        </Button>
        <Button
          variant="secondary"
          busy={saving.busy}
          onClick={() => void saving.save(() => downloadPostPage(shown))}
        >
          PDF
        </Button>
        {canRelease && !isSame && (
          <Button
            busy={releasing.busy}
            onClick={() =>
              void releasing
                .save(() => release.mutateAsync({ ...page, fingerprint: draft.fingerprint }))
                .then((isDone) => isDone && onClose())
            }
          >
            {isReleased ? 'Release Again' : 'Release to Client'}
          </Button>
        )}
      </div>
    </div>
  );
}

export function PagePreview(props: PreviewProps) {
  const { page, onClose } = props;
  const query = usePageDraft(page);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Client’s Page"
      description={`${formatDay(page.day)}, midnight to midnight. What is not withheld is released.`}
      className="sm:max-w-3xl"
    >
      <Loaded query={query} loadingText="Loading the page...">
        {(draft) => <Preview draft={draft} {...props} />}
      </Loaded>
    </Dialog>
  );
}
